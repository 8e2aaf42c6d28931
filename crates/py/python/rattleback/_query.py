"""Shapes and where they touch."""

from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass, fields
from typing import Any, Literal, Mapping, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _rattleback as native
from ._errors import ArgumentError

Float = NDArray[np.float64]
Errors = Literal["raise", "nan"]

_BRANCHES = (None, "global", "compared", "followed")
_REGULARITIES = ("smooth", "edge", "kink", "seam", "parallel", "focal")


def json_text(value: Any, field: str) -> str:
    """A dictionary as JSON; NumPy's numbers and arrays among it, NaN and infinities refused."""

    def plain(item: Any) -> Any:
        if isinstance(item, np.generic):
            return item.item()
        if isinstance(item, np.ndarray):
            return item.tolist()
        if isinstance(item, os.PathLike):
            return os.fspath(item)
        if isinstance(item, Shape):
            return item.description
        raise TypeError(f"{type(item).__name__} is no part of a description")

    try:
        return json.dumps(value, default=plain, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        message = f"{field}: {error}; expected numbers, texts, lists and dictionaries"
        raise ArgumentError(message, field=field, expected="numbers, texts, lists and dictionaries") from None


class Shape:
    """A shape, by its type and that type's keys, as in shape files and scenes.

    Lengths are in m, or texts with a unit:

    >>> Shape("ellipsoid", semi_axes=[0.3, "20 cm", 0.1])
    Shape('ellipsoid', semi_axes=[0.3, '20 cm', 0.1])
    """

    __slots__ = ("_native", "description")

    def __init__(self, type: str | Mapping[str, Any], **keys: Any) -> None:
        description = dict(type) if isinstance(type, Mapping) else {"type": type}
        description.update(keys)
        text = json_text(description, "shape")
        self._native = native.Shape(text, "shape.json")
        self.description: dict[str, Any] | None = json.loads(text)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Shape:
        """The shape of a file: a description in TOML or JSON, or a mesh."""
        made = cls.__new__(cls)
        made._native = native.Shape.read(_path(path))
        made.description = None
        return made

    @property
    def kind(self) -> str:
        """What it is called."""
        return self._native.kind

    @property
    def bounds(self) -> Float:
        """Its box along its own axes in m: the least and the greatest coordinates, shape (2, 3)."""
        return np.array(self._native.bounds)

    @property
    def remarks(self) -> list[str]:
        """What its author should know of it, such as what was set right in a mesh."""
        return self._native.remarks

    def __repr__(self) -> str:
        if self.description is None:
            return f"<Shape {self.kind}>"
        keys = {key: value for key, value in self.description.items() if key != "type"}
        told = "".join(f", {key}={value!r}" for key, value in keys.items())
        return f"Shape({self.description.get('type')!r}{told})"

    def __reduce__(self) -> tuple[Any, ...]:
        text, path = self._native.source
        return (_restored, (text, os.fspath(path), self.description))


def _restored(text: str, path: str, description: dict[str, Any] | None) -> Shape:
    made = Shape.__new__(Shape)
    made._native = native.Shape(text, path)
    made.description = description
    return made


def _path(path: str | os.PathLike[str]) -> str:
    try:
        text = os.fspath(path)
    except TypeError:
        found = type(path).__name__
        raise ArgumentError(f"path: found {found}; expected a path", field="path", expected="a path") from None
    if not isinstance(text, str) or "\0" in text:
        raise ArgumentError("path: expected a text", field="path", expected="a text")
    return text


def pose(
    position: ArrayLike = (0.0, 0.0, 0.0),
    quaternion: ArrayLike | None = None,
    *,
    axis: ArrayLike | None = None,
    angle: float | None = None,
) -> Float:
    """A pose as seven numbers: position in m, quaternion w, x, y, z.

    It is turned by a quaternion, or about an ``axis`` by an ``angle`` in rad.
    """
    place = numbers(position, "position")
    if place.shape != (3,):
        raise _argument("position", f"shape {place.shape}", "three numbers, in m")
    if (axis is None) != (angle is None) or (axis is not None and quaternion is not None):
        raise _argument("orientation", "something else", "a quaternion, or an axis with an angle")
    if axis is not None and angle is not None:
        along = numbers(axis, "axis")
        length = float(np.linalg.norm(along))
        if along.shape != (3,) or not length > 0 or not math.isfinite(length) or not math.isfinite(angle):
            raise _argument("axis", repr(axis), "three finite numbers, not all zero, with a finite angle")
        turned = np.concatenate([[math.cos(angle / 2)], math.sin(angle / 2) * along / length])
    else:
        turned = numbers((1.0, 0.0, 0.0, 0.0) if quaternion is None else quaternion, "quaternion")
        if turned.shape != (4,):
            raise _argument("quaternion", f"shape {turned.shape}", "four numbers: w, x, y, z")
    return np.concatenate([place, turned])


def _argument(field: str, found: str, expected: str) -> ArgumentError:
    message = f"{field}: found {found}; expected {expected}"
    return ArgumentError(message, field=field, value=found, expected=expected)


def numbers(value: Any, field: str) -> Float:
    """An array of doubles, without a copy where it is one already; texts and complex numbers are refused."""
    try:
        array = np.asarray(value)
    except Exception as error:
        raise _argument(field, f"{type(value).__name__} ({error})", "an array of real numbers") from None
    if array.dtype.kind not in "fiu":
        raise _argument(field, f"an array of {array.dtype}", "an array of real numbers")
    if array.dtype.itemsize > 8:
        raise _argument(field, f"an array of {array.dtype}", "an array of doubles")
    # NumPy makes a row of a single number.
    return np.ascontiguousarray(array, dtype=np.float64).reshape(array.shape)


_IDENTITY = np.array([[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]])


def _poses(value: ArrayLike | None, field: str) -> tuple[Float, bool]:
    """Rows of seven, and whether there is one for each pair."""
    if value is None:
        return _IDENTITY, False
    array = numbers(value, field)
    if array.ndim not in (1, 2) or array.shape[-1] != 7:
        expected = "seven numbers x, y, z, w, x, y, z, or rows of them"
        raise _argument(field, f"an array of shape {array.shape}", expected)
    return (array, True) if array.ndim == 2 else (array.reshape(1, 7), False)


def _shape(value: Any, field: str) -> Shape:
    if isinstance(value, Shape):
        return value
    if isinstance(value, Mapping):
        return Shape(value)
    raise _argument(field, type(value).__name__, "a Shape, or a dictionary with the keys of one")


@dataclass(frozen=True, repr=False)
class _Answer:
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
class Contact(_Answer):
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
class Derivatives(_Answer):
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


def floats(data: bytearray, *shape: int) -> Float:
    """Doubles in the memory that the native half has filled, without a copy."""
    return np.frombuffer(data, dtype=np.float64).reshape(shape)


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


def _ask(a: Any, b: Any, pose_a: Any, pose_b: Any, errors: Errors, curved: bool) -> Contact:
    a, b = _shape(a, "a"), _shape(b, "b")
    (rows_a, many_a), (rows_b, many_b) = _poses(pose_a, "pose_a"), _poses(pose_b, "pose_b")
    keep = _keeps(errors)
    pairs = _count(rows_a, rows_b)
    data, told = native.contacts(a._native, b._native, rows_a.tobytes(), rows_b.tobytes(), curved, keep)
    found = _blocks(data, pairs, curved)
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


def _count(rows_a: Float, rows_b: Float) -> int:
    """How many pairs there are."""
    n, m = len(rows_a), len(rows_b)
    if n != m and n != 1 and m != 1:
        raise _argument("pose_b", f"{m} poses beside {n} of A", "as many as of A, or one for all")
    return m if n == 1 else n


def _keeps(errors: Any) -> bool:
    if errors not in ("raise", "nan"):
        raise _argument("errors", repr(errors), '"raise" or "nan"')
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
    a, b = _shape(a, "a"), _shape(b, "b")
    (rows_a, many_a), (rows_b, many_b) = _poses(pose_a, "pose_a"), _poses(pose_b, "pose_b")
    keep = _keeps(errors)
    pairs = _count(rows_a, rows_b)
    data, codes, told = native.derivatives(a._native, b._native, rows_a.tobytes(), rows_b.tobytes(), keep)
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


ShapeLike = Union[Shape, Mapping[str, Any]]
__all__ = ["Contact", "Derivatives", "Shape", "ShapeLike", "contact", "derivatives", "pose", "touch"]
