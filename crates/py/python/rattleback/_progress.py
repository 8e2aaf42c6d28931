"""Progress: a bar of tqdm, one's own, or a function."""

from __future__ import annotations

from typing import Any, Callable, Union

from ._array import argument

Progress = Union[bool, None, Callable[[float, float], object], Any]
"""True for a bar of tqdm, a bar of one's own (whatever has ``total`` and ``update``), or a function of what is done and
the whole."""


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
            raise argument("progress", "True without tqdm", "the package tqdm, a bar, or a function") from None
        return _Bar(tqdm(total=1.0))
    if hasattr(progress, "update") and hasattr(progress, "total"):
        return _Bar(progress)
    if callable(progress):
        told: Callable[[float, float], object] = progress
        return told
    raise argument("progress", type(progress).__name__, "True, a bar of tqdm, or a function of two numbers")
