"""Scenes, and their runs from start to end."""

from __future__ import annotations

import base64
import os
from dataclasses import dataclass
from typing import Any, Mapping, Sequence

import numpy as np

from . import _rattleback as native
from ._array import Float, argument, path_text
from ._errors import ArgumentError, RecordError
from ._progress import Progress, callback
from ._result import Result, table
from ._run import Run, seconds
from ._shape import json_text


def _settings(settings: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    if settings is None:
        return []
    if not isinstance(settings, Mapping):
        raise argument("settings", type(settings).__name__, "a dictionary of parameters")
    pairs = []
    for name, value in settings.items():
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, (str, int, float, np.number)):
            raise argument(str(name), repr(value), "a number in SI units, or a text with a unit")
        pairs.append((str(name), value if isinstance(value, str) else repr(float(value))))
    return pairs


def source_of(scene: Any, field: str) -> tuple[str, str]:
    """Text and path of what is given as a path, a text or a dictionary."""
    if isinstance(scene, Mapping):
        return json_text(dict(scene), field), f"{field}.json"
    if isinstance(scene, str) and ("\n" in scene or "=" in scene):
        return scene, f"{field}.toml"
    path = path_text(scene)
    try:
        with open(path, encoding="utf-8") as file:
            return file.read(), path
    except (OSError, UnicodeDecodeError) as error:
        message = f"{field}: {error}"
        raise ArgumentError(message, field=field, value=path, expected="a file of text") from error


class Scene:
    """A scene: bodies, contacts, how they move and what is recorded.

    ``scene`` is a path, the text of a file in TOML, or a dictionary with its keys; ``settings`` are other values of its
    ``[parameters]``, numbers in SI units or texts with a unit. What is wrong with it is a ``SceneError``, which has all
    mistakes with their fields, lines and columns.
    """

    __slots__ = ("_native",)

    def __init__(
        self,
        scene: str | os.PathLike[str] | Mapping[str, Any],
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        text, path = source_of(scene, "scene")
        self._native = native.Scene(text, path, _settings(settings))

    def with_settings(self, settings: Mapping[str, Any]) -> Scene:
        """The same scene with other values of some of its parameters."""
        text, path, own = self._native.source
        return _scene(text, os.fspath(path), own + _settings(settings))

    @property
    def title(self) -> str:
        """What it is called."""
        return self._native.title

    @property
    def description(self) -> str:
        """What to see."""
        return self._native.description

    @property
    def duration(self) -> float:
        """How long it runs, in s."""
        return self._native.duration

    @property
    def every(self) -> float:
        """The time between records, in s."""
        return self._native.every

    @property
    def solver(self) -> str:
        """Which solver was chosen and why; empty where the scene names one."""
        return self._native.solver

    @property
    def bodies(self) -> list[str]:
        """The names of its bodies."""
        return self._native.bodies

    @property
    def joints(self) -> list[str]:
        """The names of its joints."""
        return self._native.joints

    @property
    def parameters(self) -> dict[str, str]:
        """Its parameters in SI units, as texts with their units."""
        return self._native.parameters

    @property
    def remarks(self) -> list[str]:
        """What looks like a slip."""
        return self._native.remarks

    @property
    def text(self) -> str:
        """The scene as it is run, in one file of TOML."""
        return self._native.text

    def run(
        self,
        folder: str | os.PathLike[str] | None = None,
        *,
        duration: float | None = None,
        every: float | None = None,
        checkpoint: float | None = None,
        progress: Progress = None,
    ) -> Result:
        """Runs it from start to end.

        The records are kept in memory, or in a new ``folder``, as ``rattleback run`` writes it: with ``checkpoint``, an
        interval of wall time in s, ``rattleback resume`` goes on from there. ``duration`` and ``every``, in s, take the
        place of what the scene says.
        """
        record = self._native.run(
            None if folder is None else path_text(folder),
            seconds(duration, "duration"),
            seconds(every, "every"),
            seconds(checkpoint, "checkpoint"),
            callback(progress),
        )
        return Result(record, None if folder is not None else (self, duration, every))

    def picture(self, size: Sequence[int] = (960, 540)) -> bytes:
        """Its start, drawn in so many pixels: PNG."""
        if len(size) != 2 or not all(isinstance(side, int) and 0 < side <= 8192 for side in size):
            raise argument("size", repr(size), "two numbers of pixels from 1 to 8192")
        return self._native.picture(list(size))

    def start(self, checkpoint: bytes | None = None) -> Run:
        """A run that goes on as far as it is asked to, from the start or from ``Run.checkpoint()``."""
        if checkpoint is not None and not isinstance(checkpoint, bytes):
            raise argument("checkpoint", type(checkpoint).__name__, "bytes that Run.checkpoint() has given")
        return Run(self, native.Run(self._native, checkpoint))

    def sensitivity(self, outputs: Sequence[str], of: Sequence[str] = ()) -> Sensitivity:
        """Outputs of a run and their derivatives by parameters, all where none is named, with their errors.

        Outputs are curves at the end of the run, such as ``"ball.z_m"``, or ``"max ball.z_m"`` and ``"min ball.z_m"``
        over the records. The derivatives come from eight runs per parameter, on all threads.
        """
        found = native.sensitivity(self._native, _texts(outputs, "outputs"), _texts(of, "of"))
        shape = (len(found["values"]), len(found["parameters"]))
        return Sensitivity(
            outputs=tuple(outputs),
            parameters=tuple(found["parameters"]),
            at=np.array(found["at"], dtype=float),
            units=tuple(found["units"]),
            values=np.array(found["values"], dtype=float),
            derivatives=np.array(found["derivatives"], dtype=float).reshape(shape),
            errors=np.array(found["errors"], dtype=float).reshape(shape),
        )

    def __repr__(self) -> str:
        bodies = len(self.bodies)
        return f"<Scene {self.title!r}: {bodies} {'body' if bodies == 1 else 'bodies'}, {self.duration} s>"

    def _repr_html_(self) -> str:
        rows = {
            "bodies": ", ".join(self.bodies[:20]) + (" …" if len(self.bodies) > 20 else ""),
            "joints": ", ".join(self.joints[:20]),
            "parameters": ", ".join(f"{name} = {value}" for name, value in self.parameters.items()),
            "duration": f"{self.duration} s",
            "solver": self.solver,
            "remarks": "; ".join(self.remarks),
        }
        try:
            drawn = base64.b64encode(self.picture((640, 360))).decode()
        except RecordError:
            # Nothing that a camera could be placed by.
            return table(self.title, rows)
        return table(self.title, rows) + f'<img src="data:image/png;base64,{drawn}" width="640">'

    def __reduce__(self) -> tuple[Any, ...]:
        text, path, settings = self._native.source
        return (_scene, (text, os.fspath(path), settings))


def _scene(text: str, path: str, settings: list[tuple[str, str]]) -> Scene:
    made = Scene.__new__(Scene)
    made._native = native.Scene(text, path, settings)
    return made


def _texts(value: Any, field: str) -> list[str]:
    if isinstance(value, str) or not isinstance(value, Sequence) or not all(isinstance(v, str) for v in value):
        raise argument(field, repr(value), "a list of texts")
    return list(value)


@dataclass(frozen=True)
class Sensitivity:
    """Outputs of a run and how they change with parameters of the scene."""

    outputs: tuple[str, ...]
    parameters: tuple[str, ...]
    at: Float
    """The parameters' values in SI units."""
    units: tuple[str, ...]
    values: Float
    """The outputs."""
    derivatives: Float
    """By output and parameter in SI units; NaN where the runs have none: where they are chaotic, or an impact comes or
    goes between them."""
    errors: Float
    """The errors of the derivatives."""
