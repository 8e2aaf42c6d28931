"""Studies: many runs of one scene, on this machine or on a cluster of Dask."""

from __future__ import annotations

import html
import os
import tempfile
from typing import TYPE_CHECKING, Any, Mapping

import numpy as np
from numpy.typing import NDArray

from . import _rattleback as native
from ._array import Float, argument, floats, path_text
from ._errors import SweepError
from ._progress import Progress, callback
from ._result import arrays
from ._scene import source_of

if TYPE_CHECKING:
    import pandas
    import polars
    import xarray


class Study:
    """A study: a scene, parameters that are varied, outputs that are collected.

    ``study`` is a path, the text of a file in TOML, or a dictionary with its keys: ``scene``, ``outputs``, ``design``,
    ``parameters``. The scene of a text or a dictionary is looked for from the working directory.
    """

    __slots__ = ("_native",)

    def __init__(self, study: str | os.PathLike[str] | Mapping[str, Any]) -> None:
        self._native = native.Study(*source_of(study, "study"))

    @property
    def title(self) -> str:
        """What it is called."""
        return self._native.title

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return self._native.runs

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters that are varied, with their units."""
        return dict(self._native.parameters)

    @property
    def outputs(self) -> dict[str, str]:
        """The outputs that are collected, with their units."""
        return dict(self._native.outputs)

    def values(self) -> Float:
        """The parameters in all runs, in SI units; shape (runs, parameters)."""
        return floats(self._native.values(), self.runs, len(self.parameters))

    def settings(self, run: int) -> dict[str, str]:
        """The parameters of a run, as texts with their units."""
        return dict(self._native.settings(_whole(run, "run")))

    def sweep(
        self,
        folder: str | os.PathLike[str] | None = None,
        *,
        scheduler: Any = None,
        threads: int = 0,
        batch: int | None = None,
        progress: Progress = None,
    ) -> Sweep:
        """Makes all runs that have no row yet; see ``rattleback.sweep``."""
        return sweep(self, folder, scheduler=scheduler, threads=threads, batch=batch, progress=progress)

    def __repr__(self) -> str:
        return f"<Study {self.title!r}: {self.runs} runs of {', '.join(self.parameters)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        text, path = self._native.source
        return (_study, (text, os.fspath(path)))


def _study(text: str, path: str) -> Study:
    made = Study.__new__(Study)
    made._native = native.Study(text, path)
    return made


def _whole(value: Any, field: str) -> int:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or value < 0:
        raise argument(field, repr(value), "a whole number from zero on")
    return int(value)


SHOWN = 20
"""Rows that a notebook shows."""


class Sweep:
    """The rows of a sweep: one per run, with its parameters in SI units, how it ended, and its outputs."""

    __slots__ = ("columns", "folder", "study")

    def __init__(self, study: Study, folder: str | None, columns: dict[str, NDArray[Any]]) -> None:
        self.study, self.folder, self.columns = study, folder, columns

    def __getitem__(self, column: str) -> NDArray[Any]:
        return self.columns[column]

    def __len__(self) -> int:
        return len(self.columns["run"])

    def pandas(self) -> pandas.DataFrame:
        """The rows as a data frame of pandas."""
        import pandas

        return pandas.DataFrame(self.columns)

    def polars(self) -> polars.DataFrame:
        """The rows as a data frame of Polars."""
        import polars

        return polars.DataFrame(self.columns)

    def xarray(self) -> xarray.Dataset:
        """The rows of a grid as a dataset of xarray, over its parameters."""
        from ._grid import sweep_grid

        return sweep_grid(self)

    def __repr__(self) -> str:
        states, counts = np.unique(self.columns["status"], return_counts=True)
        told = ", ".join(f"{count} {state}" for state, count in zip(states, counts))
        return f"<Sweep of {self.study.title!r}: {told or 'no rows'}>"

    def _repr_html_(self) -> str:
        names = list(self.columns)
        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        rows = [
            "".join(f"<td>{html.escape(str(self.columns[name][row]))}</td>" for name in names)
            for row in range(min(len(self), SHOWN))
        ]
        if len(self) > SHOWN:
            rows.append(f"<td>… {len(self)} rows</td>")
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table><caption>{html.escape(self.study.title)}</caption><tr>{head}</tr>{body}</table>"


def sweep(
    study: Study | str | os.PathLike[str] | Mapping[str, Any],
    folder: str | os.PathLike[str] | None = None,
    *,
    scheduler: Any = None,
    threads: int = 0,
    batch: int | None = None,
    progress: Progress = None,
) -> Sweep:
    """Makes all runs of a study that have no row yet, and gives the rows.

    Rows are kept in ``folder``, each as soon as its run is done, so that nothing is lost whatever ends the program: the
    same call goes on where it was. Without a folder they are lost with the program. Runs that fail are rows too.

    Runs are made on the threads of this machine, all of them where ``threads`` is zero; or on a cluster of Dask, where
    ``scheduler`` is its address or a client of it, ``batch`` runs to a task. The rows are the same to the bit.
    """
    study = study if isinstance(study, Study) else Study(study)
    threads = _whole(threads, "threads")
    told = callback(progress)
    with tempfile.TemporaryDirectory() as temporary:
        place = os.path.join(temporary, "sweep") if folder is None else path_text(folder)
        opened = native.SweepFolder(study._native, place)
        try:
            if scheduler is None:
                opened.run(threads, told)
            else:
                from ._cluster import run_on_cluster

                run_on_cluster(study, opened, scheduler, batch, told)
                missing = opened.missing()
                if missing:
                    raise SweepError(f"{len(missing)} runs have no row, the first is {missing[0]}")
                opened.finish()
            columns = arrays(opened.columns())
        finally:
            opened.close()
    return Sweep(study, None if folder is None else place, columns)
