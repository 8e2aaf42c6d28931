"""Anchor manoeuvres: the functions of ``rattleback study anchor``.

A single manoeuvre is a scene with the key ``manoeuvre``: ``Scene.run`` follows it, and ``Result.outcome`` says what became of
the anchor.
"""

from __future__ import annotations

import os
from typing import Any, Callable, Sequence

from . import _rattleback as native
from ._array import argument, path_text
from ._document import Document
from ._scene import Scene


def scene(name: str) -> Scene:
    """A scene that is built in: ``"stow"``, an anchor that is stowed, or ``"jam"``, one that jams."""
    if not isinstance(name, str):
        raise argument("name", repr(name), "a text")
    return Scene(native.anchor_scene(name))


def study(
    scenes: Sequence[Scene] = (),
    folder: str | os.PathLike[str] | None = None,
    *,
    cases: int | None = None,
    duration: float = 60.0,
    seaway: float = 20.0,
    raise_sea: bool = False,
    tell: Callable[[str], Any] | None = None,
) -> Document:
    """Follows manoeuvres side by side, those of scenes or of the built-in set of three hulls and three ways to begin.

    Each is followed for ``duration`` s at most and then taken through a ``seaway`` of so many s, which is raised until the
    anchor does not hold with ``raise_sea``; ``cases`` says how many of the built-in set. ``tell`` is given a line as each ends.
    Into a new ``folder`` goes a page with pictures.
    """
    if cases is not None and (isinstance(cases, bool) or not isinstance(cases, int) or cases < 1):
        raise argument("cases", repr(cases), "a whole number from one on")
    for field, value in (("duration", duration), ("seaway", seaway)):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise argument(field, repr(value), "a time in s")
    pairs = []
    for k, one in enumerate(scenes):
        if not isinstance(one, Scene):
            raise argument("scenes", type(one).__name__, "scenes")
        pairs.append((f"scene {k + 1}", one._native))
    told = native.anchor_study(
        pairs, cases, float(duration), float(seaway), bool(raise_sea), None if folder is None else path_text(folder), tell
    )
    return Document(told["document"], told["text"])
