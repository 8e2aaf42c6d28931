"""Tables that are grids, as datasets of xarray."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._array import argument

if TYPE_CHECKING:
    import xarray

    from ._result import Result
    from ._study import Sweep


def _dataset(columns: dict[str, NDArray[Any]], axes: list[str], units: dict[str, str]) -> xarray.Dataset:
    """Columns over axes that are columns too, whose rows are all their combinations, in any order."""
    import xarray

    coordinates, places = {}, []
    for axis in axes:
        # In the order in which they come, as bodies do.
        values, first, place = np.unique(columns[axis], return_index=True, return_inverse=True)
        order = np.argsort(first, kind="stable") if values.dtype.kind == "U" else np.arange(len(values))
        coordinates[axis] = values[order]
        places.append(np.argsort(order, kind="stable")[place.reshape(-1)])
    shape = tuple(len(values) for values in coordinates.values())
    flat: NDArray[Any] = np.asarray(np.ravel_multi_index(tuple(places), shape))
    if len(flat) != np.prod(shape) or len(np.unique(flat)) != len(flat):
        raise argument("rows", f"{len(flat)} rows", f"a grid over {', '.join(axes)}")
    order = np.argsort(flat, kind="stable")
    data = {
        name: (axes, column[order].reshape(shape), {"units": units[name]} if units.get(name) else {})
        for name, column in columns.items()
        if name not in axes
    }
    return xarray.Dataset(data, coordinates)


_AXES = {"states": ["time_s", "body"], "energies": ["time_s"], "joints": ["time_s", "joint"]}


def result_grid(result: Result, sheet: str) -> xarray.Dataset:
    """A sheet of a result over time, and over bodies or joints."""
    if sheet not in _AXES:
        raise argument("sheet", sheet, f"{', '.join(_AXES)}: other sheets are no grids")
    described: list[dict[str, Any]] = [one for one in result.manifest["sheets"] if one["name"] == sheet]
    units = {column["name"]: column.get("unit") or "" for one in described for column in one["columns"]}
    found = _dataset(result.sheet(sheet), _AXES[sheet], units)
    found.attrs.update(title=result.title, status=result.status, health=result.verdict)
    return found


def sweep_grid(sweep: Sweep) -> xarray.Dataset:
    """The rows of a sweep over its parameters."""
    axes = list(sweep.study.parameters)
    found = _dataset(sweep.columns, axes, sweep.study.outputs)
    for name, unit in sweep.study.parameters.items():
        found[name].attrs.update({"units": unit} if unit else {})
    found.attrs["title"] = sweep.study.title
    return found
