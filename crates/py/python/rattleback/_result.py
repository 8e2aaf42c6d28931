"""Results of runs: NumPy, pandas, Polars, xarray, plots, pages."""

from __future__ import annotations

import html
import json
import os
import tempfile
from typing import TYPE_CHECKING, Any, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _rattleback as native
from ._array import Float, argument, floats, path_text

if TYPE_CHECKING:
    import pandas
    import polars
    import xarray

    from ._scene import Scene

SHOWN = 2.0
"""A run in memory that took no longer, in s of wall time, is made once more to be shown as a page in a notebook."""


def table(title: str, rows: Mapping[str, str]) -> str:
    """A table of HTML."""
    told = "".join(
        f"<tr><th>{html.escape(name)}</th><td style='text-align:left'>{html.escape(value)}</td></tr>"
        for name, value in rows.items()
        if value
    )
    return f"<table><caption>{html.escape(title)}</caption>{told}</table>"


def arrays(columns: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    """Columns of the native half: kind and bytes of numbers, lists of texts."""
    return {
        name: np.frombuffer(column[1], dtype=column[0]) if isinstance(column, tuple) else np.asarray(column, dtype=str)
        for name, column in columns.items()
    }


class Result:
    """The records of a run, in memory or in a result folder."""

    __slots__ = ("_native", "_ran")

    def __init__(
        self,
        record: native.Record | str | os.PathLike[str],
        ran: tuple[Scene, float | None, float | None] | None = None,
    ) -> None:
        self._native = record if isinstance(record, native.Record) else native.Record.open(path_text(record))
        # Of records in memory, the scene that was run, for how long and how often recorded: the same run, to the bit, can be
        # made into a folder.
        self._ran = ran

    @property
    def folder(self) -> str | None:
        """Where it is; None in memory."""
        return None if self._native.folder is None else os.fspath(self._native.folder)

    @property
    def manifest(self) -> dict[str, Any]:
        """What was run, how far, how fast, how well; every sheet and column with its unit and meaning."""
        return self._native.manifest

    @property
    def title(self) -> str:
        """The title of the scene."""
        return str(self.manifest["title"])

    @property
    def status(self) -> str:
        """finished, broken, stopped, failed or running."""
        return str(self.manifest["status"])

    @property
    def healthy(self) -> bool:
        """Whether the run can be trusted."""
        health = self.manifest["health"]
        return bool(health and health["healthy"])

    @property
    def verdict(self) -> str:
        """On its health, in one line, with advice."""
        health = self.manifest["health"]
        return str(health["verdict"]) if health else ""

    @property
    def outcome(self) -> Any:
        """What became of the scene of an application, such as an anchor's manoeuvre; None of others and of folders."""
        return self._native.outcome

    @property
    def sheets(self) -> list[str]:
        """states, contacts, events, energies and, where there are any, joints."""
        return self._native.sheets

    def sheet(self, name: str) -> dict[str, NDArray[Any]]:
        """The columns of a sheet by name; names end in their units."""
        return arrays(self._native.sheet(_text(name, "sheet")))

    def pandas(self, sheet: str = "states") -> pandas.DataFrame:
        """A sheet as a data frame of pandas."""
        import pandas

        return pandas.DataFrame(self.sheet(sheet))

    def polars(self, sheet: str = "states") -> polars.DataFrame:
        """A sheet as a data frame of Polars."""
        import polars

        return polars.DataFrame(self.sheet(sheet))

    def curve(self, name: str) -> tuple[Float, Float]:
        """Times in s and values of a curve, such as ``"ball.z_m"``, ``"energy.kinetic_J"``,
        ``"floor|ball.normal_force_N"`` or ``"joint hinge.force_z_N"``."""
        points = floats(self._native.curve(_text(name, "curve")), -1, 2)
        return points[:, 0], points[:, 1]

    def unit(self, curve: str) -> str:
        """The unit of a curve."""
        return self._native.unit(_text(curve, "curve"))

    def output(self, expression: str) -> float:
        """A curve's value at the end, or with ``max`` or ``min`` before its name that of the records."""
        return self._native.output(_text(expression, "output"))

    def plot(self, *curves: str, ax: Any = None) -> Any:
        """Draws curves over time with matplotlib, one pair of axes for each unit; returns the axes."""
        from ._plot import plot

        return plot(self, curves, ax)

    def __repr__(self) -> str:
        manifest = self.manifest
        where = f" in {self.folder}" if self.folder else ""
        return f"<Result of {self.title!r}: {self.status}, {manifest['reached_s']} s, {manifest['outputs']} records{where}>"

    def xarray(self, sheet: str = "states") -> xarray.Dataset:
        """A sheet as a dataset of xarray: over time, and over bodies or joints. Contacts and events, of which there are more
        or fewer from record to record, are no grid and have none."""
        from ._grid import result_grid

        return result_grid(self, _text(sheet, "sheet"))

    def export(
        self,
        path: str | os.PathLike[str],
        *,
        rate: float = 25.0,
        speed: float = 1.0,
        size: Sequence[int] = (960, 540),
    ) -> str:
        """Writes a file to send, of the kind that its ending says: a page (``.html``), a film (``.gif``, ``.apng``, ``.mp4``,
        ``.webm``), pictures (``.png``), a model (``.glb``) or data for ParaView (``.pvd``); gives its path.

        Films have ``rate`` pictures and show ``speed`` simulated seconds per second, in ``size`` pixels. Records in memory
        are made once more for it, to the same bits, in a folder that is removed afterwards.
        """
        place = path_text(path)
        for value, field in ((rate, "rate"), (speed, "speed")):
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise argument(field, repr(value), "a number above zero")
        if len(size) != 2 or not all(isinstance(side, int) and 0 < side <= 8192 for side in size):
            raise argument("size", repr(size), "two numbers of pixels from 1 to 8192")
        if self.folder is not None:
            self._native.export(place, float(rate), float(speed), list(size))
        elif self._ran is None:
            raise argument("result", "records in memory of an unknown scene", "those of a folder")
        else:
            with tempfile.TemporaryDirectory() as temporary:
                folder = os.path.join(temporary, "run")
                scene, duration, every = self._ran
                again = scene.run(folder, duration=duration, every=every)
                again._native.export(place, float(rate), float(speed), list(size))
        return place

    def page(self) -> str:
        """The page that ``rattleback view --export`` writes, as one text of HTML: bodies that move, curves, events."""
        with tempfile.TemporaryDirectory() as temporary:
            with open(self.export(os.path.join(temporary, "page.html")), encoding="utf-8") as file:
                return file.read()

    def _repr_html_(self) -> str:
        manifest = self.manifest
        rows = {
            "status": self.status,
            "health": self.verdict,
            "simulated": f"{manifest['reached_s']} s in {manifest['wall_s']:.3g} s",
            "steps": str(manifest["steps"]),
            "contacts": str(manifest["events"]),
            "records": str(manifest["outputs"]),
            "outcome": json.dumps(self.outcome) if self.outcome is not None else "",
        }
        short = self.folder is not None or (self._ran is not None and manifest["wall_s"] < SHOWN)
        page = html.escape(self.page(), quote=True) if short else ""
        frame = f'<iframe srcdoc="{page}" width="100%" height="600"></iframe>' if short else ""
        return table(self.title, rows) + frame

    def __reduce__(self) -> tuple[Any, ...]:
        if self.folder is not None:
            return (Result, (self.folder,))
        sheets = [(name, self._native.sheet(name)) for name in self.sheets]
        outcome = None if self.outcome is None else json.dumps(self.outcome)
        return (_restored, (json.dumps(self.manifest), sheets, outcome, self._ran))


def _restored(manifest: str, sheets: Any, outcome: str | None, ran: Any) -> Result:
    scene = None if ran is None else ran[0]._native
    return Result(native.Record.restore(manifest, sheets, scene, outcome), ran)


def _text(value: Any, field: str) -> str:
    if not isinstance(value, str):
        raise argument(field, repr(value), "a text")
    return value


def open_result(folder: str | os.PathLike[str]) -> Result:
    """The result folder of a run, finished or not."""
    return Result(path_text(folder))
