"""Arguments that are checked, and arrays without copies."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._errors import ArgumentError

Float = NDArray[np.float64]


def argument(field: str, found: str, expected: str) -> ArgumentError:
    """The exception for an argument that is not what it must be."""
    message = f"{field}: found {found}; expected {expected}"
    return ArgumentError(message, field=field, value=found, expected=expected)


def numbers(value: Any, field: str) -> Float:
    """An array of doubles, without a copy where it is one already; texts and complex numbers are refused."""
    array = real(value, field)
    # NumPy makes a row of a single number.
    return np.ascontiguousarray(array, dtype=np.float64).reshape(array.shape)


def real(value: Any, field: str) -> NDArray[Any]:
    """An array of real numbers, as it is; texts and complex numbers are refused."""
    try:
        hidden = isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value)
        array = np.asarray(value)
    except Exception as error:
        raise argument(field, f"{type(value).__name__} ({error})", "an array of real numbers") from None
    if hidden:
        raise argument(field, "an array with masked elements", "an array of real numbers")
    if array.dtype.kind not in "fiu":
        raise argument(field, f"an array of {array.dtype}", "an array of real numbers")
    if array.dtype.itemsize > 8:
        raise argument(field, f"an array of {array.dtype}", "an array of doubles")
    return array


def doubles(value: Any, field: str) -> Float:
    """An array of real numbers as the native half reads it: doubles of any strides as they are, others as a copy."""
    array = real(value, field)
    fits = array.dtype == np.float64 and array.dtype.isnative and array.flags.aligned
    if not fits or any(step % 8 for step in array.strides):
        array = array.astype(np.float64, order="C")
    return array if type(array) is np.ndarray else array.view(np.ndarray)


def path_text(path: str | os.PathLike[str]) -> str:
    """A path as a text."""
    try:
        text = os.fspath(path)
    except TypeError:
        found = type(path).__name__
        raise ArgumentError(f"path: found {found}; expected a path", field="path", expected="a path") from None
    if not isinstance(text, str) or "\0" in text:
        raise ArgumentError("path: expected a text", field="path", expected="a text")
    return text


def floats(data: bytearray, *shape: int) -> Float:
    """Doubles in the memory that the native half has filled, without a copy."""
    return np.frombuffer(data, dtype=np.float64).reshape(shape)
