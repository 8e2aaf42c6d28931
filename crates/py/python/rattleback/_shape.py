"""Shapes and poses."""

from __future__ import annotations

import json
import math
import os
from typing import Any, Mapping

import numpy as np
from numpy.typing import ArrayLike

from . import _rattleback as native
from ._array import Float, argument, numbers, path_text
from ._errors import ArgumentError


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
            return item.described()
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
        made._native = native.Shape.read(path_text(path))
        made.description = None
        return made

    def described(self) -> dict[str, Any]:
        """Its description, for scenes; that of a mesh names its file."""
        text, path = self._native.source
        if self.description is None and not os.fspath(path).endswith(".json"):
            raise TypeError("a shape that was read from TOML is no part of a description: name its file")
        found: dict[str, Any] = json.loads(text) if self.description is None else self.description
        return found

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


def shape_of(value: Any, field: str) -> Shape:
    """A shape, or that of a dictionary."""
    if isinstance(value, Shape):
        return value
    if isinstance(value, Mapping):
        return Shape(value)
    raise argument(field, type(value).__name__, "a Shape, or a dictionary with the keys of one")


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
        raise argument("position", f"shape {place.shape}", "three numbers, in m")
    if (axis is None) != (angle is None) or (axis is not None and quaternion is not None):
        raise argument("orientation", "something else", "a quaternion, or an axis with an angle")
    if axis is not None and angle is not None:
        along = numbers(axis, "axis")
        length = float(np.linalg.norm(along))
        if along.shape != (3,) or not length > 0 or not math.isfinite(length) or not math.isfinite(angle):
            raise argument("axis", repr(axis), "three finite numbers, not all zero, with a finite angle")
        turned = np.concatenate([[math.cos(angle / 2)], math.sin(angle / 2) * along / length])
    else:
        turned = numbers((1.0, 0.0, 0.0, 0.0) if quaternion is None else quaternion, "quaternion")
        if turned.shape != (4,):
            raise argument("quaternion", f"shape {turned.shape}", "four numbers: w, x, y, z")
    return np.concatenate([place, turned])
