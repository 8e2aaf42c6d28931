"""Where shapes touch."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import Any, Callable, Literal, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _rattleback as native
from ._array import Float, argument, floats, real
from ._shape import Shape, shape_of

Errors = Literal["raise", "nan"]

_BRANCHES = (None, "global", "compared", "followed")
_REGULARITIES = ("smooth", "edge", "kink", "seam", "parallel", "focal")


_IDENTITY = np.array([[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]])


def poses_of(value: ArrayLike | None, field: str) -> tuple[NDArray[Any], bool]:
    """Rows of seven, and whether there is one for each pair."""
    if value is None:
        return _IDENTITY, False
    array = real(value, field)
    if array.ndim not in (1, 2) or array.shape[-1] != 7:
        expected = "seven numbers x, y, z, w, x, y, z, or rows of them"
        raise argument(field, f"an array of shape {array.shape}", expected)
    return (array, True) if array.ndim == 2 else (array.reshape(1, 7), False)


def _blocks_of(rows: NDArray[Any]) -> tuple[int, Callable[[int, int], bytes]]:
    """How many rows there are, and a function that gives the bytes of some of them as doubles: there is never a second
    copy of all, whatever the strides and the kind of numbers."""

    def read(begin: int, end: int) -> bytes:
        return np.asarray(rows[begin:end], dtype=np.float64).tobytes()

    return len(rows), read


@dataclass(frozen=True, repr=False)
class Answer:
    """What shows itself: short arrays as they are, longer ones by their shapes."""

    def __repr__(self) -> str:
        told = []
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray) and value.size > 12:
                told.append(f"{field.name}=<{' x '.join(map(str, value.shape))}>")
            elif value is not None and not (isinstance(value, dict) and not value):
                shown = np.array2string(value, separator=", ") if isinstance(value, np.ndarray) else repr(value)
                told.append(f"{field.name}={shown}")
        return f"{type(self).__name__}({', '.join(told)})"


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
    curvature_a: Float | None = None
    """Principal curvatures of A in 1/m, the larger first; inf across an edge. None of a touch."""
    curvature_b: Float | None = None
    """The same of B."""
    relative_curvature: Float | None = None
    """Relative principal curvatures in 1/m."""
    errors: Any = None
    """With ``errors="nan"``: why pairs have no answer, by their index."""


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


_BLOCKS: tuple[tuple[str, type, int], ...] = (
    ("gap", np.float64, 1),
    ("normal", np.float64, 3),
    ("point_a", np.float64, 3),
    ("point_b", np.float64, 3),
    ("residual", np.float64, 1),
    ("curvature_a", np.float64, 2),
    ("curvature_b", np.float64, 2),
    ("relative_curvature", np.float64, 2),
    ("iterations", np.uint32, 1),
    ("certified", np.bool_, 1),
    ("branch", np.uint8, 1),
)


def _blocks(data: bytearray, pairs: int, curved: bool) -> dict[str, Any]:
    """The blocks of an answer, as the native half has laid them out."""
    found, begin = {}, 0
    for name, kind, width in _BLOCKS:
        if width == 2 and not curved:
            continue
        block: NDArray[Any]
        block = np.frombuffer(data, dtype=kind, count=pairs * width, offset=begin) if pairs else np.empty(0, kind)
        found[name] = block.reshape(pairs, width) if width > 1 else block
        begin += block.nbytes
    return found


PART = 1 << 15
"""Pairs that are asked for at once: their answers stay in the processor's cache until they are put in place."""


def _parts(
    part: Callable[[int, int], tuple[dict[str, Any], list[tuple[int, str]]]], pairs: int
) -> tuple[dict[str, Any], list[tuple[int, str]]]:
    """The answers of all parts in one array each: NumPy has large pages for them, and one part is put in place while the
    next one is answered."""
    found: dict[str, Any] = {}
    told: list[tuple[int, str]] = []
    begins = range(0, pairs, PART)
    with ThreadPoolExecutor(1) as pool:
        waiting = [pool.submit(part, begin, min(pairs, begin + PART)) for begin in begins[:2]]
        try:
            for k, begin in enumerate(begins):
                answers, more = waiting.pop(0).result()
                if k + 2 < len(begins):
                    waiting.append(pool.submit(part, begins[k + 2], min(pairs, begins[k + 2] + PART)))
                for name, values in answers.items():
                    if begin == 0:
                        found[name] = np.empty((pairs, *values.shape[1:]), dtype=values.dtype)
                    found[name][begin : begin + len(values)] = values
                told += more
        finally:
            for one in waiting:
                one.cancel()
    return found, told


def _ask(a: Any, b: Any, pose_a: Any, pose_b: Any, errors: Errors, curved: bool) -> Contact:
    a, b = shape_of(a, "a"), shape_of(b, "b")
    (rows_a, many_a), (rows_b, many_b) = poses_of(pose_a, "pose_a"), poses_of(pose_b, "pose_b")
    keep = _keeps(errors)
    pairs = _count(rows_a, rows_b)

    def part(begin: int, end: int) -> tuple[dict[str, Any], list[tuple[int, str]]]:
        of_a, of_b = (_blocks_of(rows if len(rows) == 1 else rows[begin:end]) for rows in (rows_a, rows_b))
        data, told = native.contacts(a._native, b._native, of_a, of_b, curved, keep, begin)
        return _blocks(data, end - begin, curved), told

    found, told = part(0, pairs) if pairs <= PART else _parts(part, pairs)
    if many_a or many_b:
        words = np.array(_BRANCHES, dtype=object)
        found["branch"] = words[found["branch"]]
        return Contact(**found, errors=dict(told) if keep else None)
    one: dict[str, Any] = {name: values[0] for name, values in found.items()}
    for name in ("gap", "residual"):
        one[name] = float(one[name])
    one["iterations"], one["certified"] = int(one["iterations"]), bool(one["certified"])
    one["branch"] = _BRANCHES[one["branch"]]
    return Contact(**one, errors=dict(told) if keep else None)


def _count(rows_a: NDArray[Any], rows_b: NDArray[Any]) -> int:
    """How many pairs there are."""
    n, m = len(rows_a), len(rows_b)
    if n != m and n != 1 and m != 1:
        raise argument("pose_b", f"{m} poses beside {n} of A", "as many as of A, or one for all")
    return m if n == 1 else n


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
    return _ask(a, b, pose_a, pose_b, errors, False)


def contact(
    a: Shape | Mapping[str, Any],
    b: Shape | Mapping[str, Any],
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    errors: Errors = "raise",
) -> Contact:
    """The same as ``touch``, with the curvatures that contact laws ask for, in 1/m."""
    return _ask(a, b, pose_a, pose_b, errors, True)


def derivatives(
    a: Shape | Mapping[str, Any],
    b: Shape | Mapping[str, Any],
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    errors: Errors = "raise",
) -> Derivatives:
    """How the contact of two bodies changes with both poses, exactly; arguments as of ``touch``."""
    a, b = shape_of(a, "a"), shape_of(b, "b")
    (rows_a, many_a), (rows_b, many_b) = poses_of(pose_a, "pose_a"), poses_of(pose_b, "pose_b")
    keep = _keeps(errors)
    pairs = _count(rows_a, rows_b)
    data, codes, told = native.derivatives(a._native, b._native, _blocks_of(rows_a), _blocks_of(rows_b), keep)
    rows = floats(data, pairs, 16, 12)
    words = np.array([*_REGULARITIES, *[None] * 250], dtype=object)
    parts: dict[str, Any] = {"gap": rows[:, 0, :]}
    begin = 1
    for name, count in (("normal", 3), ("point_a", 3), ("point_b", 3)):
        parts[name] = rows[:, begin : begin + count, :]
        begin += count
    for name in ("curvature_a", "curvature_b", "relative_curvature"):
        parts[name] = rows[:, begin : begin + 2, :]
        begin += 2
    parts["regularity"] = words[np.frombuffer(codes, dtype=np.uint8)]
    if not (many_a or many_b):
        parts = {name: values[0] for name, values in parts.items()}
    return Derivatives(**parts, errors=dict(told) if keep else None)
