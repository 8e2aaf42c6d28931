"""Curves of a result, drawn with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

from ._array import argument

if TYPE_CHECKING:
    from ._result import Result


def plot(result: Result, curves: Sequence[str], ax: Any = None) -> Any:
    """Draws curves over time, one pair of axes for each unit."""
    import matplotlib.pyplot as plt

    if not curves:
        raise argument("curves", "none", 'at least one, such as "ball.z_m"')
    units: dict[str, list[str]] = {}
    for name in curves:
        units.setdefault(result.unit(name), []).append(name)
    if ax is None:
        _, axes = plt.subplots(len(units), 1, sharex=True, squeeze=False, layout="constrained")
        drawn = list(axes[:, 0])
    elif len(units) > 1:
        raise argument("ax", "one pair of axes", f"none, for curves of {len(units)} units")
    else:
        drawn = [ax]
    for axis, (unit, names) in zip(drawn, units.items()):
        for name in names:
            times, values = result.curve(name)
            axis.plot(times, values, label=name)
        axis.set_ylabel(unit)
        axis.legend(frameon=False)
    drawn[0].set_title(result.title)
    drawn[-1].set_xlabel("time in s")
    return drawn[0] if len(drawn) == 1 else drawn
