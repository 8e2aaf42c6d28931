"""Parameters of a scene from measurements, by SciPy's least squares and derivatives of runs.

A derivative by a parameter is that of central differences of whole runs with steps of h and h/2, extrapolated to h = 0,

    D = (4 D(h/2) − D(h))/3,  D(h) = (r(p + h) − r(p − h))/2h,

which leaves an error of h⁴; where a bound is nearer than h, that of the parabola through p and two points on the other side. All
the runs of all parameters are made at once, on as many threads as there are cores.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ._array import Float, argument, numbers
from ._errors import MotionError
from ._scene import Scene, _texts


@dataclass(frozen=True)
class Fit:
    """Parameters that fit, and how well."""

    parameters: dict[str, float]
    """In SI units."""
    deviations: dict[str, float]
    """Standard deviations from the residuals and the derivatives at the solution, as of independent errors of equal size."""
    residuals: Float
    """Simulated minus measured, over the scale of each curve."""
    scene: Scene
    """The scene with these parameters."""
    optimum: Any
    """What SciPy says of it."""


def fit(
    scene: Scene,
    parameters: Mapping[str, Sequence[float]] | Sequence[str],
    measured: Mapping[str, tuple[ArrayLike, ArrayLike]],
    *,
    scales: Mapping[str, float] | None = None,
    max_evaluations: int | None = None,
    **options: Any,
) -> Fit:
    """Finds the parameters of a scene whose runs come nearest to measured curves.

    ``parameters`` are names, or names with their bounds in SI units; they begin where the scene has them. ``measured``
    has for every curve, such as ``"ball.z_m"``, times in s and values. Simulated curves are interpolated between
    records, so that the scene must record as often as they bend. Curves are divided by ``scales``, their root mean
    square unless it is given. The derivatives are extrapolated differences of whole runs, ``diff_step`` times the parameter's
    size apart (1e-3), which are made on all threads. Other options go to ``scipy.optimize.least_squares``, ``jac`` among them.
    """
    from scipy.optimize import least_squares

    if not isinstance(scene, Scene):
        raise argument("scene", type(scene).__name__, "a scene")
    if not isinstance(measured, Mapping):
        raise argument("measured", type(measured).__name__, "a dictionary of curves")
    names = list(parameters)
    bounds = _bounds(parameters, names)
    start = np.array([_value(scene, name) for name in names])
    if not names or not measured:
        raise argument("parameters" if not names else "measured", "none", "at least one")
    curves = {}
    for name, pair in measured.items():
        times, values = (numbers(x, f"measured[{name!r}]") for x in pair)
        if times.ndim != 1 or times.shape != values.shape or not np.all(np.isfinite(values)) or times.size == 0:
            raise argument(f"measured[{name!r}]", f"{times.shape} and {values.shape}", "times and finite values")
        if times.min() < 0 or times.max() > scene.duration * (1 + 1e-9):
            raise argument(f"measured[{name!r}]", f"times to {times.max()} s", f"times within {scene.duration} s")
        scale = _scale(scales, name) or float(np.sqrt(np.mean(values**2))) or 1.0
        curves[name] = (times, values, scale)
    size = np.where(start != 0, np.abs(start), 1.0)

    def residuals(scaled: Float) -> Float:
        values = dict(zip(names, (float(x) for x in scaled * size)))
        result = scene.with_settings(_with_units(scene, values)).run()
        if not result.healthy:
            raise MotionError(f"the run with {values} is broken: {result.verdict}")
        parts = []
        for name, (times, wanted, scale) in curves.items():
            at, found = result.curve(name)
            parts.append((np.interp(times, at, found) - wanted) / scale)
        return np.concatenate(parts)

    ends = (bounds[0] / size, bounds[1] / size)
    if "jac" not in options:
        step = options.pop("diff_step", 1e-3)
        if not isinstance(step, float) or not 0 < step < 1:
            raise argument("diff_step", repr(step), "a share between 0 and 1")
        options["jac"] = lambda scaled: _slopes(residuals, scaled, ends, step)
    optimum: Any = least_squares(residuals, start / size, bounds=ends, max_nfev=max_evaluations, **options)
    best = optimum.x * size
    count = max(1, optimum.fun.size - len(names))
    spread = np.linalg.pinv(optimum.jac.T @ optimum.jac) * (2 * optimum.cost / count)
    deviations = np.sqrt(np.maximum(np.diag(spread), 0.0)) * size
    found = dict(zip(names, (float(x) for x in best)))
    return Fit(
        parameters=found,
        deviations=dict(zip(names, (float(x) for x in deviations))),
        residuals=optimum.fun,
        scene=scene.with_settings(_with_units(scene, found)),
        optimum=optimum,
    )


_CENTRAL: tuple[tuple[float, float], ...] = ((1.0, -1 / 6), (-1.0, 1 / 6), (0.5, 4 / 3), (-0.5, -4 / 3))
"""Where runs are made, in steps, and what they weigh in the derivative times the step."""
_ONE_SIDED: tuple[tuple[float, float], ...] = ((0.0, -1.5), (1.0, 2.0), (2.0, -0.5))


def _slopes(of: Callable[[Float], Float], at: Float, ends: tuple[Float, Float], step: float) -> Float:
    """The derivatives of a function of runs, by parameter in columns."""
    asked = []
    for k, x in enumerate(at):
        h = step * max(1.0, abs(float(x)))
        above, below = float(ends[1][k] - x), float(x - ends[0][k])
        scheme = _CENTRAL
        if min(above, below) < h:
            scheme, h = _ONE_SIDED, min(h, max(above, below) / 2) * (1 if above > below else -1)
        asked += [(k, offset * h, weight / h) for offset, weight in scheme]

    def run(one: tuple[int, float, float]) -> Float:
        moved = at.copy()
        moved[one[0]] += one[1]
        return of(moved)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(run, asked))
    slopes = np.zeros((found[0].size, at.size))
    for (k, _, weight), values in zip(asked, found):
        slopes[:, k] += weight * values
    return slopes


def _bounds(parameters: Any, names: list[str]) -> tuple[Float, Float]:
    if not isinstance(parameters, Mapping):
        _texts(parameters, "parameters")
        return np.full(len(names), -np.inf), np.full(len(names), np.inf)
    ends = [numbers(parameters[name], name) for name in names]
    for name, pair in zip(names, ends):
        if pair.shape != (2,) or not pair[0] < pair[1]:
            raise argument(name, repr(parameters[name]), "two bounds in SI units, the lower one first")
    return np.array([pair[0] for pair in ends]), np.array([pair[1] for pair in ends])


def _scale(scales: Any, name: str) -> float | None:
    """What a curve is divided by; None where it is not said."""
    if scales is None:
        return None
    if not isinstance(scales, Mapping):
        raise argument("scales", type(scales).__name__, "a dictionary of numbers by curve")
    scale = scales.get(name)
    is_number = isinstance(scale, (int, float, np.number)) and not isinstance(scale, bool)
    if scale is not None and not (is_number and 0 < float(scale) < np.inf):
        raise argument(f"scales[{name!r}]", repr(scale), "a number above zero")
    return None if scale is None else float(scale)


def _value(scene: Scene, name: str) -> float:
    known = scene.parameters
    if name not in known:
        raise argument("parameters", name, f"parameters of the scene: {', '.join(known) or 'it has none'}")
    return float(known[name].split(" ", 1)[0])


def _with_units(scene: Scene, values: Mapping[str, float]) -> dict[str, str]:
    """The values as texts in the units of the scene's parameters."""
    known = scene.parameters
    return {name: " ".join([repr(value), *known[name].split(" ", 1)[1:]]) for name, value in values.items()}
