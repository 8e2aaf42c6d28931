"""Contact laws, and the forces of single contacts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping

import numpy as np
from numpy.typing import ArrayLike

from . import _rattleback as native
from ._array import Float, argument, doubles
from ._query import Answer, poses_of
from ._shape import Shape, json_text, shape_of


@dataclass(frozen=True, repr=False)
class ContactForce(Answer):
    """The force of a contact and where the energy goes, in SI units and world axes. Of N contacts every attribute has a
    first axis of N."""

    gap: Any
    """m; negative where the bodies overlap."""
    gap_rate: Any
    """m/s."""
    spin: Any
    """Angular velocity of B against A about the normal, in rad/s."""
    approach_speed: Any
    """What the contact remembers: the speed at which the bodies met, in m/s."""
    normal_force: Any
    """N, positive where it pushes."""
    pressure: Any
    """The greatest pressure in Hertz's ellipse of contact, in Pa; NaN where there is none."""
    patch: Float
    """Semi-axes of that ellipse in m, the longer one first; zero where the stiffness is not Hertz's."""
    stored: Any
    """Energy stored in the indentation and the bristle, in J."""
    bristle_energy: Any
    """The bristle's part of it, in J."""
    damped: Any
    """Power damped by the normal law, in W."""
    friction_loss: Any
    """Power lost to friction and to resistance against rolling and spinning, in W."""
    stiffness_change: Any
    """Power that a change of stiffness brings along, in W."""
    point: Float
    """Where the force acts, in m."""
    normal: Float
    """From A to B."""
    force: Float
    """On B, in N; A gets the opposite."""
    torque: Float
    """The free torque on B, in N m."""
    friction: Float
    """The part of the force in the tangent plane, in N."""
    slip: Float
    """Velocity of B's material against A's in the tangent plane, in m/s."""
    bristle_rate: Float
    """Rate of the bristle's stretch in m/s."""
    bristle: Float
    """The bristle's stretch in m."""
    wrench_a: Float
    """Force in N and torque in N m on A, about its origin."""
    wrench_b: Float
    """The same on B."""

    @property
    def state(self) -> Float:
        """What the contact remembers, for the next call: approach speed and stretch of the bristle, four numbers."""
        speed = np.asarray(self.approach_speed)[..., np.newaxis]
        return np.concatenate([speed, self.bristle], axis=-1)


@dataclass(frozen=True, repr=False)
class ContactTangent(Answer):
    """Exact derivatives of the generalised force (force and torque on A about its origin, then on B)."""

    by_pose: Float
    """By translation in m and rotation in rad of A, then of B, in world axes; (12, 12)."""
    by_twist: Float
    """By velocity in m/s and angular velocity in rad/s of A, then of B; (12, 12)."""
    by_bristle: Float
    """By the bristle's stretch in m; (12, 3)."""
    normal_by_pose: Float
    """Of the normal force; (12,)."""
    normal_by_twist: Float
    """Of the normal force; (12,)."""


_SCALARS = (
    "gap", "gap_rate", "spin", "approach_speed", "normal_force", "pressure", "patch", "stored", "bristle_energy",
    "damped", "friction_loss", "stiffness_change",
)  # fmt: skip
_VECTORS = ("point", "normal", "force", "torque", "friction", "slip", "bristle_rate", "bristle")


class Law:
    """The law of a contact, with the keys of ``[[contacts]]``: ``stiffness``, ``normal``, ``friction``, ``resistance``,
    ``application``, ``least_speed`` in m/s.

    ``materials`` are those of A and B, or one for both: dictionaries of ``young`` in Pa, ``poisson`` and ``density``. They
    are needed where the stiffness is Hertz's, which it is unless it is given.

    >>> law = Law(stiffness="1e7 N/m^1.5", normal={"law": "exact", "restitution": 0.7})
    >>> ball, floor = Shape("sphere", radius=0.1), Shape("plane", normal=[0, 0, 1])
    >>> law.force(floor, ball, pose_b=[0, 0, 0.0999, 1, 0, 0, 0]).normal_force > 0
    True
    """

    __slots__ = ("_native", "keys")

    def __init__(
        self,
        *,
        normal: Mapping[str, Any],
        materials: Mapping[str, Any] | tuple[Mapping[str, Any], Mapping[str, Any]] = {"density": 1000.0},
        **keys: Any,
    ) -> None:
        pair = (materials, materials) if isinstance(materials, Mapping) else materials
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise argument("materials", repr(materials), "one material, or a pair of them")
        body = {"shape": {"type": "sphere", "radius": 1.0}, "mass": 1.0}
        scene = {
            "title": "A law",
            "gravity": [0, 0, 0],
            "materials": {"a": dict(pair[0]), "b": dict(pair[1])},
            "bodies": [{"name": name, "material": name, **body} for name in ("a", "b")],
            "contacts": [{"bodies": ["a", "b"], "normal": normal, **keys}],
            "run": {"duration": 1.0},
        }
        self._native = native.Law(json_text(scene, "law"))
        self.keys: dict[str, Any] = {"normal": normal, **keys}

    @property
    def exponent(self) -> float:
        """The exponent of the depth in the normal force."""
        return self._native.exponent

    def force(
        self,
        a: Shape | Mapping[str, Any],
        b: Shape | Mapping[str, Any],
        pose_a: ArrayLike | None = None,
        pose_b: ArrayLike | None = None,
        twist_a: ArrayLike | None = None,
        twist_b: ArrayLike | None = None,
        *,
        state: ArrayLike | None = None,
    ) -> ContactForce:
        """The force between the nearest points of two bodies, and its powers.

        Poses are as of ``touch``; a twist is the velocity of a body's origin in m/s and its angular velocity in rad/s, in
        world axes, and None is at rest. ``state`` is what the contact remembers, as ``ContactForce.state`` has it; without
        it the contact begins now. Rows of all of them are as many contacts, on all threads.
        """
        asked, many = self._asked(a, b, (pose_a, pose_b), (twist_a, twist_b), state)
        data = self._native.forces(asked)
        found: dict[str, Any] = {}
        begin = 0
        for name in _SCALARS:
            width = 2 if name == "patch" else 1
            found[name] = data[:, begin : begin + 2] if width == 2 else data[:, begin]
            begin += width
        for name in _VECTORS:
            found[name] = data[:, begin : begin + 3]
            begin += 3
        found["wrench_a"], found["wrench_b"] = data[:, begin : begin + 6], data[:, begin + 6 :]
        if many:
            return ContactForce(**found)
        one: dict[str, Any] = {name: float(x[0]) if x.ndim == 1 else x[0] for name, x in found.items()}
        return ContactForce(**one)

    def tangent(
        self,
        a: Shape | Mapping[str, Any],
        b: Shape | Mapping[str, Any],
        pose_a: ArrayLike | None = None,
        pose_b: ArrayLike | None = None,
        twist_a: ArrayLike | None = None,
        twist_b: ArrayLike | None = None,
        *,
        state: ArrayLike | None = None,
    ) -> ContactTangent:
        """The exact derivatives of ``force``; arguments as of it."""
        asked, many = self._asked(a, b, (pose_a, pose_b), (twist_a, twist_b), state)
        data = self._native.tangents(asked)
        found = {
            "by_pose": data[:, :144].reshape(-1, 12, 12),
            "by_twist": data[:, 144:288].reshape(-1, 12, 12),
            "by_bristle": data[:, 288:324].reshape(-1, 12, 3),
            "normal_by_pose": data[:, 324:336],
            "normal_by_twist": data[:, 336:],
        }
        return ContactTangent(**(found if many else {name: x[0] for name, x in found.items()}))

    def _asked(self, a: Any, b: Any, poses: Any, twists: Any, state: Any) -> tuple[native._Asked, bool]:
        """The arguments of the native half, and whether there are rows of them."""
        a, b = shape_of(a, "a"), shape_of(b, "b")
        (pose_a, many_a), (pose_b, many_b) = poses_of(poses[0], "pose_a"), poses_of(poses[1], "pose_b")
        twist_a, more_a = _numbers_of(twists[0], "twist_a", 6)
        twist_b, more_b = _numbers_of(twists[1], "twist_b", 6)
        stored, many = (None, False) if state is None else _numbers_of(state, "state", 4)
        both = ([pose_a, pose_b], [twist_a, twist_b])
        return (a._native, b._native, *both, stored), many_a or many_b or more_a or more_b or many

    def __repr__(self) -> str:
        return f"Law({', '.join(f'{key}={value!r}' for key, value in self.keys.items())})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_law, (self._native.source, self.keys))


def _law(text: str, keys: dict[str, Any]) -> Law:
    made = Law.__new__(Law)
    made._native, made.keys = native.Law(text), keys
    return made


def _numbers_of(value: ArrayLike | None, field: str, width: int) -> tuple[Float, bool]:
    """Rows of so many numbers, zeros where there are none, and whether there is one for each contact."""
    if value is None:
        return np.zeros((1, width)), False
    array = doubles(value, field)
    if array.ndim not in (1, 2) or array.shape[-1] != width:
        raise argument(field, f"an array of shape {array.shape}", f"{width} numbers, or rows of them")
    return (array, True) if array.ndim == 2 else (array.reshape(1, width), False)
