"""Walking trials of laboratories: the functions of ``rattleback gait``, with the same words.

A trial is the path of the walk's markers, ``.trc``; the other files are found beside it by their names, or named. Forces are
in N, lengths in m, times in s; axes are x forward, y up, z to the right.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Sequence

from numpy.typing import NDArray

from . import _rattleback as native
from ._array import argument, path_text
from ._document import Document
from ._result import arrays
from ._scene import Scene

if TYPE_CHECKING:
    import pandas

Path = str | os.PathLike[str]


@dataclass(frozen=True)
class FittedFoot:
    """A foot that was fitted to a stance."""

    foot: dict[str, Any]
    """The foot, as ``foot.json`` has it."""
    scene: Scene
    """A scene in which it is dropped."""
    document: Document
    """Deviations, correlations, how well it fits."""


@dataclass(frozen=True)
class PredictedForces:
    """Ground forces of both feet."""

    forces: dict[str, dict[str, NDArray[Any]]]
    """By mode, ``"whole body"`` where it has markers and ``"feet only"``: columns named as external loads of OpenSim are, in
    the axes of the trial, with standard deviations (``sd``)."""
    document: Document
    """Errors beside plates, where there are any."""

    def pandas(self, mode: str = "feet only") -> pandas.DataFrame:
        """The forces of a mode as a data frame of pandas."""
        import pandas

        return pandas.DataFrame(self.forces[mode])


@dataclass(frozen=True)
class DrivenLeg:
    """A leg that was driven by joint angles."""

    scene: Scene
    """Its scene."""
    document: Document
    """Forces and angles beside those that were measured."""


def _asked(
    walk: Path,
    static: Path | None,
    forces: Path | None,
    markers: Path | None,
    mass: float | None,
    table: str,
    foot: str | None = None,
    stance: Sequence[float] | None = None,
    foot_model: Path | None = None,
) -> dict[str, Any]:
    def path(value: Path | None) -> str | None:
        return None if value is None else path_text(value)

    if mass is not None and (isinstance(mass, bool) or not isinstance(mass, (int, float))):
        raise argument("mass", repr(mass), "a mass in kg")
    if foot_model is not None and (foot is not None or stance is not None):
        raise argument("foot_model", repr(foot_model), "no foot and no stance beside it: it is fitted already")
    return {
        "walk": path_text(walk),
        "standing": path(static),
        "forces": path(forces),
        "markers": path(markers),
        "mass": None if mass is None else float(mass),
        "table": table,
        "foot": foot,
        "stance": None if stance is None else list(stance),
        "foot_model": path(foot_model),
    }


def check(
    walk: Path,
    *,
    static: Path | None = None,
    forces: Path | None = None,
    markers: Path | None = None,
    mass: float | None = None,
    table: str = "winter",
) -> dict[str, Any]:
    """What a laboratory should know before it trusts a trial, as ``rattleback gait check --json`` tells it: the rate, the
    ground's speed, stances, markers that slip, gaps, the body's mass in kg, and all of it in words (``lines``)."""
    found: dict[str, Any] = native.gait_check(_asked(walk, static, forces, markers, mass, table))
    return found


def fit(
    walk: Path,
    folder: Path | None = None,
    *,
    static: Path | None = None,
    forces: Path | None = None,
    markers: Path | None = None,
    mass: float | None = None,
    table: str = "winter",
    foot: str | None = None,
    stance: Sequence[float] | None = None,
) -> FittedFoot:
    """Fits the bodies under a foot to the force of one stance; ``foot`` is ``"right"`` or ``"left"``, ``stance`` an interval
    in s that holds it. Into a new ``folder`` go ``foot.json``, ``foot.toml`` and a page."""
    asked = _asked(walk, static, forces, markers, mass, table, foot, stance)
    told = native.gait_fit(asked, None if folder is None else path_text(folder))
    return FittedFoot(told["foot"], Scene(told["scene"]), Document(told["document"], told["text"]))


def predict(
    walk: Path,
    folder: Path | None = None,
    *,
    static: Path | None = None,
    forces: Path | None = None,
    markers: Path | None = None,
    mass: float | None = None,
    table: str = "winter",
    foot: str | None = None,
    stance: Sequence[float] | None = None,
    foot_model: Path | None = None,
) -> PredictedForces:
    """Predicts the ground force of both feet from markers, with a foot that is fitted to this trial's plates or with the
    file of one that was fitted before (``foot_model``). Into a new ``folder`` go the forces and a page."""
    asked = _asked(walk, static, forces, markers, mass, table, foot, stance, foot_model)
    told = native.gait_predict(asked, None if folder is None else path_text(folder))
    tables = {mode: arrays(columns) for mode, columns in told["forces"].items()}
    return PredictedForces(tables, Document(told["document"], told["text"]))


def leg(
    walk: Path,
    folder: Path | None = None,
    *,
    angles: Path | None = None,
    leg: str | None = None,
    during: Sequence[float] | None = None,
    static: Path | None = None,
    forces: Path | None = None,
    markers: Path | None = None,
    mass: float | None = None,
    table: str = "winter",
    foot: str | None = None,
    stance: Sequence[float] | None = None,
    foot_model: Path | None = None,
) -> DrivenLeg:
    """Drives a leg over the ground by measured joint angles, ``during`` an interval in s. Into a new ``folder`` go
    ``leg.toml`` and a page."""
    asked = _asked(walk, static, forces, markers, mass, table, foot, stance, foot_model)
    told = native.gait_leg(
        asked,
        None if angles is None else path_text(angles),
        leg,
        None if during is None else list(during),
        None if folder is None else path_text(folder),
    )
    return DrivenLeg(Scene(told["scene"]), Document(told["document"], told["text"]))


def example(folder: Path) -> tuple[str, str, str]:
    """Writes a trial of the engine's own into a new folder: markers, forces and a static trial, 71.38 kg."""
    walk, forces, static = (os.fspath(path) for path in native.gait_example(path_text(folder)))
    return walk, forces, static
