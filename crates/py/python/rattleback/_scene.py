"""Scenes, runs and their results."""

from __future__ import annotations

import html
import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _rattleback as native
from ._errors import ArgumentError
from ._query import Float, _argument, _path, floats, json_text

if TYPE_CHECKING:
    import pandas
    import polars

Progress = Union[bool, None, Callable[[float, float], object], Any]
"""True for a bar of tqdm, a bar of one's own (whatever has ``total`` and ``update``), or a function of what is done and
the whole."""

STATE_COLUMNS = (
    "x_m", "y_m", "z_m", "qw", "qx", "qy", "qz", "vx_m_per_s", "vy_m_per_s", "vz_m_per_s",
    "wx_rad_per_s", "wy_rad_per_s", "wz_rad_per_s",
)  # fmt: skip
"""The columns of ``Run.states``: mass centre in m, quaternion, velocity in m/s, angular velocity in the body's own axes
in rad/s."""


class _Bar:
    """A bar of tqdm, told how much is done."""

    def __init__(self, bar: Any) -> None:
        self.bar, self.done = bar, 0.0

    def __call__(self, done: float, whole: float) -> None:
        self.bar.total = whole
        self.bar.update(done - self.done)
        self.done = done


def callback(progress: Progress) -> Callable[[float, float], object] | None:
    """The function that is called while something goes on."""
    if progress is None or progress is False:
        return None
    if progress is True:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise _argument("progress", "True without tqdm", "the package tqdm, a bar, or a function") from None
        return _Bar(tqdm(total=1.0))
    if hasattr(progress, "update") and hasattr(progress, "total"):
        return _Bar(progress)
    if callable(progress):
        told: Callable[[float, float], object] = progress
        return told
    raise _argument("progress", type(progress).__name__, "True, a bar of tqdm, or a function of two numbers")


def _settings(settings: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    if settings is None:
        return []
    if not isinstance(settings, Mapping):
        raise _argument("settings", type(settings).__name__, "a dictionary of parameters")
    pairs = []
    for name, value in settings.items():
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, (str, int, float, np.number)):
            raise _argument(str(name), repr(value), "a number in SI units, or a text with a unit")
        pairs.append((str(name), value if isinstance(value, str) else repr(float(value))))
    return pairs


def _seconds(value: Any, field: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.number)):
        raise _argument(field, repr(value), "a time in s")
    return float(value)


def source_of(scene: Any, field: str) -> tuple[str, str]:
    """Text and path of what is given as a path, a text or a dictionary."""
    if isinstance(scene, Mapping):
        return json_text(dict(scene), field), f"{field}.json"
    if isinstance(scene, str) and ("\n" in scene or "=" in scene):
        return scene, f"{field}.toml"
    path = _path(scene)
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
            None if folder is None else _path(folder),
            _seconds(duration, "duration"),
            _seconds(every, "every"),
            _seconds(checkpoint, "checkpoint"),
            callback(progress),
        )
        return Result(record)

    def start(self, checkpoint: bytes | None = None) -> Run:
        """A run that goes on as far as it is asked to, from the start or from ``Run.checkpoint()``."""
        if checkpoint is not None and not isinstance(checkpoint, bytes):
            raise _argument("checkpoint", type(checkpoint).__name__, "bytes that Run.checkpoint() has given")
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
        return _table(self.title, rows)

    def __reduce__(self) -> tuple[Any, ...]:
        text, path, settings = self._native.source
        return (_scene, (text, os.fspath(path), settings))


def _scene(text: str, path: str, settings: list[tuple[str, str]]) -> Scene:
    made = Scene.__new__(Scene)
    made._native = native.Scene(text, path, settings)
    return made


def _texts(value: Any, field: str) -> list[str]:
    if isinstance(value, str) or not isinstance(value, Sequence) or not all(isinstance(v, str) for v in value):
        raise _argument(field, repr(value), "a list of texts")
    return list(value)


def _table(title: str, rows: Mapping[str, str]) -> str:
    told = "".join(
        f"<tr><th>{html.escape(name)}</th><td style='text-align:left'>{html.escape(value)}</td></tr>"
        for name, value in rows.items()
        if value
    )
    return f"<table><caption>{html.escape(title)}</caption>{told}</table>"


def arrays(columns: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    """Columns of the native half: kind and bytes of numbers, lists of texts."""
    return {
        name: np.frombuffer(column[1], dtype=column[0]) if isinstance(column, tuple) else np.asarray(column, dtype=str)
        for name, column in columns.items()
    }


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


class Run:
    """A scene on its way through time, as far as it is asked to go."""

    __slots__ = ("_native", "scene")

    def __init__(self, scene: Scene, own: native.Run) -> None:
        self.scene, self._native = scene, own

    @property
    def time(self) -> float:
        """The time in s."""
        return self._native.time

    @property
    def steps(self) -> int:
        """Steps so far."""
        return self._native.steps

    @property
    def bodies(self) -> list[str]:
        """The names of the bodies, in the order of ``states``."""
        return self.scene.bodies

    def advance(self, to: float, *, progress: Progress = None) -> Run:
        """Moves on to a time in s. It ends there to the bit; stops in between change nothing but the steps."""
        time = _seconds(to, "to")
        if time is None:
            raise _argument("to", "None", "a time in s")
        self._native.advance(time, callback(progress))
        return self

    def frames(self, every: float | None = None, to: float | None = None) -> Iterator[Run]:
        """Itself now and then every so many seconds up to a time, those of the scene unless they are given."""
        interval, end = every or self.scene.every, self.scene.duration if to is None else to
        begin, number = self.time, 0
        yield self
        while self.time < end:
            number += 1
            at = begin + number * interval
            self.advance(end if at > end * (1 - 1e-12) else at)
            yield self

    def states(self) -> Float:
        """Per body thirteen numbers, whose names are ``STATE_COLUMNS``; shape (bodies, 13)."""
        return floats(self._native.states(), len(self.bodies), 13)

    def contacts(self) -> dict[str, Any]:
        """The contacts now: names of the bodies, points in m, gaps in m, forces on B in N, in world axes."""
        found = self._native.contacts()
        shapes = {"point_m": (-1, 3), "normal": (-1, 3), "force_N": (-1, 3)}
        count = len(found["body_a"])
        return {
            name: floats(data, count, *shapes.get(name, (-1,))[1:]) if isinstance(data, bytearray) else data
            for name, data in found.items()
        }

    def energy(self) -> dict[str, float]:
        """Where the energy is and where it went, in J."""
        return self._native.energy()

    def checkpoint(self) -> bytes:
        """What it takes to go on from here, to the same bits: ``Scene.start(checkpoint)``."""
        return self._native.checkpoint()

    @property
    def healthy(self) -> bool:
        """Whether it can be trusted so far."""
        return self._native.health[0]

    @property
    def verdict(self) -> str:
        """On its health, in one line."""
        return self._native.health[1]

    def __repr__(self) -> str:
        return f"<Run of {self.scene.title!r} at t = {self.time} s, {self.steps} steps>"


class Result:
    """The records of a run, in memory or in a result folder."""

    __slots__ = ("_native",)

    def __init__(self, record: native.Record | str | os.PathLike[str]) -> None:
        self._native = record if isinstance(record, native.Record) else native.Record.open(_path(record))

    @property
    def folder(self) -> str | None:
        """Where it is; None in memory."""
        return None if self._native.folder is None else os.fspath(self._native.folder)

    @property
    def manifest(self) -> dict[str, Any]:
        """What was run, how far, how fast, how well; every sheet and column with its unit and meaning."""
        return self._native.manifest

    @property
    def title(self) -> str:
        """The title of the scene."""
        return str(self.manifest["title"])

    @property
    def status(self) -> str:
        """finished, broken, stopped, failed or running."""
        return str(self.manifest["status"])

    @property
    def healthy(self) -> bool:
        """Whether the run can be trusted."""
        health = self.manifest["health"]
        return bool(health and health["healthy"])

    @property
    def verdict(self) -> str:
        """On its health, in one line, with advice."""
        health = self.manifest["health"]
        return str(health["verdict"]) if health else ""

    @property
    def outcome(self) -> Any:
        """What became of the scene of an application, such as an anchor's manoeuvre; None of others and of folders."""
        return self._native.outcome

    @property
    def sheets(self) -> list[str]:
        """states, contacts, events, energies and, where there are any, joints."""
        return self._native.sheets

    def sheet(self, name: str) -> dict[str, NDArray[Any]]:
        """The columns of a sheet by name; names end in their units."""
        return arrays(self._native.sheet(_text(name, "sheet")))

    def pandas(self, sheet: str = "states") -> pandas.DataFrame:
        """A sheet as a data frame of pandas."""
        import pandas

        return pandas.DataFrame(self.sheet(sheet))

    def polars(self, sheet: str = "states") -> polars.DataFrame:
        """A sheet as a data frame of Polars."""
        import polars

        return polars.DataFrame(self.sheet(sheet))

    def curve(self, name: str) -> tuple[Float, Float]:
        """Times in s and values of a curve, such as ``"ball.z_m"``, ``"energy.kinetic_J"``,
        ``"floor|ball.normal_force_N"`` or ``"joint hinge.force_z_N"``."""
        points = floats(self._native.curve(_text(name, "curve")), -1, 2)
        return points[:, 0], points[:, 1]

    def unit(self, curve: str) -> str:
        """The unit of a curve."""
        return self._native.unit(_text(curve, "curve"))

    def output(self, expression: str) -> float:
        """A curve's value at the end, or with ``max`` or ``min`` before its name that of the records."""
        return self._native.output(_text(expression, "output"))

    def plot(self, *curves: str, ax: Any = None) -> Any:
        """Draws curves over time with matplotlib, one pair of axes for each unit; returns the axes."""
        from ._plot import plot

        return plot(self, curves, ax)

    def __repr__(self) -> str:
        manifest = self.manifest
        where = f" in {self.folder}" if self.folder else ""
        return f"<Result of {self.title!r}: {self.status}, {manifest['reached_s']} s, {manifest['outputs']} records{where}>"

    def _repr_html_(self) -> str:
        report = os.path.join(self.folder, "report.html") if self.folder else ""
        if report and os.path.exists(report):
            with open(report, encoding="utf-8") as file:
                page = html.escape(file.read(), quote=True)
            return f'<iframe srcdoc="{page}" width="100%" height="600"></iframe>'
        manifest = self.manifest
        rows = {
            "status": self.status,
            "health": self.verdict,
            "simulated": f"{manifest['reached_s']} s in {manifest['wall_s']:.3g} s",
            "steps": str(manifest["steps"]),
            "contacts": str(manifest["events"]),
            "records": str(manifest["outputs"]),
            "outcome": json.dumps(self.outcome) if self.outcome is not None else "",
        }
        return _table(self.title, rows)


def _text(value: Any, field: str) -> str:
    if not isinstance(value, str):
        raise _argument(field, repr(value), "a text")
    return value


def open_result(folder: str | os.PathLike[str]) -> Result:
    """The result folder of a run, finished or not."""
    return Result(_path(folder))
