"""Where shapes touch."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _rattleback as native
from ._array import Float, argument, doubles
from ._shape import Shape, shape_of

Errors = Literal["raise", "nan"]

_BRANCHES = np.array([None, "global", "compared", "followed"], dtype=object)
_REGULARITIES = np.array(["smooth", "edge", "kink", "seam", "parallel", "focal", *[None] * 250], dtype=object)

_IDENTITY = np.array([[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]])


def poses_of(value: ArrayLike | None, field: str) -> tuple[Float, bool]:
    """Rows of seven, and whether there is one for each pair."""
    if value is None:
        return _IDENTITY, False
    array = doubles(value, field)
    if array.ndim not in (1, 2) or array.shape[-1] != 7:
        expected = "seven numbers x, y, z, w, x, y, z, or rows of them"
        raise argument(field, f"an array of shape {array.shape}", expected)
    return (array, True) if array.ndim == 2 else (array.reshape(1, 7), False)


@dataclass(frozen=True, repr=False)
class Answer:
    """What shows itself: short arrays as they are, longer ones by their shapes."""

    def __repr__(self) -> str:
        told = []
        for one in fields(self):
            value = getattr(self, one.name)
            if isinstance(value, np.ndarray) and value.size > 12:
                told.append(f"{one.name}=<{' x '.join(map(str, value.shape))}>")
            elif value is not None and not (isinstance(value, dict) and not value):
                shown = np.array2string(value, separator=", ") if isinstance(value, np.ndarray) else repr(value)
                told.append(f"{one.name}={shown}")
        return f"{type(self).__name__}({', '.join(told)})"

    # What takes longer to make than to find is made when it is asked for, and then kept.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            value = self._made(name)
            if value is _NOTHING:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            self.__dict__[name] = value
            return value

    def _made(self, name: str) -> Any:
        return _NOTHING


_NOTHING = object()


def _nothing() -> None:
    """What fields have that are not there: by a function, so that the class has none and ``_made`` is asked."""


@dataclass(frozen=True, repr=False)
class Contact(Answer):
    """Where bodies touch or come nearest, in world axes; of N pairs every attribute has a first axis of N."""

    gap: Any
    """m; negative where the bodies overlap."""
    normal: Float
    """Of length one, from A to B."""
    point_a: Float
    """The point of A, in m."""
    point_b: Float
    """The point of B, in m."""
    residual: Any
    """The part of point_b − point_a across the normal, in m."""
    iterations: Any
    """Evaluations of both surfaces."""
    certified: Any
    """Whether the gap is proved, to 1e-12 of the bodies' size and distance."""
    branch: Any
    """Under overlap: "global", no direction parts the bodies by less; "compared", none that was found does; else None."""
    curvature_a: Float | None = field(default_factory=_nothing)
    """Principal curvatures of A in 1/m, the larger first; inf across an edge. None of a touch."""
    curvature_b: Float | None = field(default_factory=_nothing)
    """The same of B."""
    relative_curvature: Float | None = field(default_factory=_nothing)
    """Relative principal curvatures in 1/m."""
    errors: Any = None
    """With ``errors="nan"``: why pairs have no answer, by their index."""

    def _made(self, name: str) -> Any:
        own = self.__dict__
        if name == "branch" and "_branches" in own:
            return _BRANCHES[own["_branches"]]
        if name in _VECTORS and "_vectors" in own:
            (begin, count), data = _VECTORS[name], own["_vectors"]
            return np.frombuffer(data, np.float64, count, begin) if begin < len(data) else None
        return None if name in _VECTORS and "_branches" in own else _NOTHING


_VECTORS = {
    "normal": (0, 3),
    "point_a": (24, 3),
    "point_b": (48, 3),
    "curvature_a": (72, 2),
    "curvature_b": (88, 2),
    "relative_curvature": (104, 2),
}
"""Where the vectors of one pair are in the bytes that the native half gives: first byte, how many numbers."""


@dataclass(frozen=True, repr=False)
class Derivatives(Answer):
    """How a contact changes with both poses, exactly.

    The last axis has twelve: translation of A in m and rotation of A in rad about its origin, in world axes, then the
    same of B. Of N pairs there is a first axis of N.
    """

    gap: Float
    """(12,)"""
    normal: Float
    """(3, 12)"""
    point_a: Float
    """(3, 12)"""
    point_b: Float
    """(3, 12)"""
    curvature_a: Float
    """(2, 12)"""
    curvature_b: Float
    """(2, 12)"""
    relative_curvature: Float
    """(2, 12)"""
    regularity: Any
    """What of it is differentiable: "smooth" or "edge" all of it, "kink" gap, normal and points, "seam" the gap,
    "parallel" the gap by translations, "focal" nothing."""
    errors: Any = None
    """With ``errors="nan"``: why pairs have no answer, by their index."""

    def _made(self, name: str) -> Any:
        rows = self.__dict__.get("_rows") if name in _ROWS else None
        return _NOTHING if rows is None else rows[..., _ROWS[name], :]


_ROWS: dict[str, Any] = {
    "gap": 0,
    "normal": slice(1, 4),
    "point_a": slice(4, 7),
    "point_b": slice(7, 10),
    "curvature_a": slice(10, 12),
    "curvature_b": slice(12, 14),
    "relative_curvature": slice(14, 16),
}
"""Where the derivatives are among the sixteen rows of a pair."""


_new = object.__new__


def _one(a: Any, b: Any, pose_a: Any, pose_b: Any, curved: bool) -> Contact | None:
    """The answer of one pair where it can be had by the short way."""
    if type(a) is not Shape or type(b) is not Shape:
        return None
    found = native.one(a._native, b._native, pose_a, pose_b, curved)
    if found is None:
        return None
    one = _new(Contact)
    one.__dict__.update(found)
    return one


def _ask(a: Any, b: Any, pose_a: Any, pose_b: Any, errors: Errors, curved: bool) -> Contact:
    a, b = shape_of(a, "a"), shape_of(b, "b")
    (rows_a, many_a), (rows_b, many_b) = poses_of(pose_a, "pose_a"), poses_of(pose_b, "pose_b")
    keep = _keeps(errors)
    found, told = native.contacts(a._native, b._native, rows_a, rows_b, curved, keep)
    if not (many_a or many_b):
        found = {name: values[0] for name, values in found.items()}
        for name, kind in (("gap", float), ("residual", float), ("iterations", int), ("certified", bool)):
            found[name] = kind(found[name])
    made = _new(Contact)
    made.__dict__.update(found, errors=dict(told) if keep else None)
    return made


def _keeps(errors: Any) -> bool:
    if errors not in ("raise", "nan"):
        raise argument("errors", repr(errors), '"raise" or "nan"')
    return bool(errors == "nan")


def touch(
    a: Shape | Mapping[str, Any],
    b: Shape | Mapping[str, Any],
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    errors: Errors = "raise",
) -> Contact:
    """Gap, points and normal of two bodies, in m and world axes.

    A pose is seven numbers, position in m and quaternion w, x, y, z, and None is the origin; rows of them are as many
    pairs, answered on all threads. A pair without an answer raises ``QueryError``, or with ``errors="nan"`` has NaN and
    an entry in ``errors``.
    """
    found = _one(a, b, pose_a, pose_b, False) if errors == "raise" else None
    return _ask(a, b, pose_a, pose_b, errors, False) if found is None else found


def contact(
    a: Shape | Mapping[str, Any],
    b: Shape | Mapping[str, Any],
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    errors: Errors = "raise",
) -> Contact:
    """The same as ``touch``, with the curvatures that contact laws ask for, in 1/m."""
    found = _one(a, b, pose_a, pose_b, True) if errors == "raise" else None
    return _ask(a, b, pose_a, pose_b, errors, True) if found is None else found


def derivatives(
    a: Shape | Mapping[str, Any],
    b: Shape | Mapping[str, Any],
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    errors: Errors = "raise",
) -> Derivatives:
    """How the contact of two bodies changes with both poses, exactly; arguments as of ``touch``."""
    if errors == "raise" and type(a) is Shape and type(b) is Shape:
        one = native.one_change(a._native, b._native, pose_a, pose_b)
        if one is not None:
            return _derivatives(np.frombuffer(one[0], np.float64).reshape(16, 12), _REGULARITIES[one[1]], None)
    a, b = shape_of(a, "a"), shape_of(b, "b")
    (rows_a, many_a), (rows_b, many_b) = poses_of(pose_a, "pose_a"), poses_of(pose_b, "pose_b")
    keep = _keeps(errors)
    found, codes, told = native.derivatives(a._native, b._native, rows_a, rows_b, keep)
    rows, words = found.reshape(-1, 16, 12), _REGULARITIES[codes]
    kept = dict(told) if keep else None
    return _derivatives(rows, words, kept) if many_a or many_b else _derivatives(rows[0], words[0], kept)


def _derivatives(rows: Float, regularity: Any, errors: Any) -> Derivatives:
    made = _new(Derivatives)
    made.__dict__.update(_rows=rows, regularity=regularity, errors=errors)
    return made
