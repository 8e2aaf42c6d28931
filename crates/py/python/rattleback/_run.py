"""Runs that go on as far as they are asked to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

import numpy as np

from . import _rattleback as native
from ._array import Float, argument, floats
from ._progress import Progress, callback

if TYPE_CHECKING:
    from ._scene import Scene

STATE_COLUMNS = (
    "x_m", "y_m", "z_m", "qw", "qx", "qy", "qz", "vx_m_per_s", "vy_m_per_s", "vz_m_per_s",
    "wx_rad_per_s", "wy_rad_per_s", "wz_rad_per_s",
)  # fmt: skip
"""The columns of ``Run.states``: mass centre in m, quaternion, velocity in m/s, angular velocity in the body's own axes
in rad/s."""


def seconds(value: Any, field: str) -> float | None:
    """A time in s, or none."""
    if value is None:
        return None
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.number)):
        raise argument(field, repr(value), "a time in s")
    return float(value)


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
        time = seconds(to, "to")
        if time is None:
            raise argument("to", "None", "a time in s")
        self._native.advance(time, callback(progress))
        return self

    def frames(self, every: float | None = None, to: float | None = None) -> Iterator[Run]:
        """Itself now and then every so many seconds up to a time, those of the scene unless they are given."""
        interval, end = seconds(every, "every"), seconds(to, "to")
        interval = self.scene.every if interval is None else interval
        end = self.scene.duration if end is None else end
        if not interval > 0:
            raise argument("every", repr(every), "a time in s above zero")
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

    def __reduce__(self) -> tuple[Any, ...]:
        # As ``Scene.start(checkpoint)`` goes on: steps and verdict begin anew.
        return (_resumed, (self.scene, self.checkpoint()))


def _resumed(scene: Scene, checkpoint: bytes) -> Run:
    return scene.start(checkpoint)
