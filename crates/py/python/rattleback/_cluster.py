"""Sweeps on a cluster of Dask distributed: tasks are batches of whole runs, what comes back are their rows.

Every task says the version of the package that its study was read with, and a worker of another version refuses it.
A worker that vanishes loses its tasks to the others, as often as Dask's ``allowed-failures`` says and then ``RETRIES``
more times; a row that comes twice counts once. Rows go into the log of this process as they come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterator

from . import _rattleback as native
from ._errors import SweepError
from ._array import argument

if TYPE_CHECKING:
    from ._study import Study

RETRIES = 3
"""How often a task that fails by its worker is made again."""
TASKS_PER_THREAD = 8
"""Tasks for every thread of the cluster where the size of a batch is not said: enough to balance, few enough to hand
out."""
LARGEST_BATCH = 256


def run_batch(version: str, task: str, runs: list[tuple[int, list[tuple[str, str]]]]) -> list[str]:
    """The rows of some runs, made on a worker."""
    if native.__version__ != version:
        raise SweepError(f"the worker has rattleback {native.__version__}, the study was read with {version}")
    return [native.run_task(task, run, settings) for run, settings in runs]


def _given(task: str) -> str:
    """The study, where a worker has it."""
    return task


def _versions() -> str:
    """The version that a worker has."""
    return native.__version__


def _batches(runs: list[int], size: int) -> Iterator[list[int]]:
    for begin in range(0, len(runs), size):
        yield runs[begin : begin + size]


def run_on_cluster(
    study: Study,
    opened: native.SweepFolder,
    scheduler: Any,
    batch: int | None,
    progress: Callable[[float, float], object] | None,
) -> None:
    """Makes all runs that have no row yet on a cluster."""
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise argument("scheduler", repr(scheduler), "the packages dask and distributed") from None
    if batch is not None and (isinstance(batch, bool) or not isinstance(batch, int) or batch < 1):
        raise argument("batch", repr(batch), "a whole number from one on")
    own = not isinstance(scheduler, Client)
    if own and not isinstance(scheduler, str):
        raise argument("scheduler", type(scheduler).__name__, "the address of a scheduler, or a client of it")
    client: Any = Client(scheduler) if own else scheduler
    try:
        found = client.run(_versions)
        wrong = {worker: version for worker, version in found.items() if version != native.__version__}
        if wrong:
            worker, version = next(iter(wrong.items()))
            raise SweepError(f"worker {worker} has rattleback {version}, this process has {native.__version__}")
        missing = opened.missing()
        threads = max(1, sum(client.nthreads().values()))
        size = batch or min(LARGEST_BATCH, max(1, len(missing) // (TASKS_PER_THREAD * threads)))
        # A task of its own, which is made again where its worker vanishes: scattered data would be lost.
        task = client.submit(_given, study._native.task(), retries=RETRIES, pure=False)
        futures = [
            client.submit(
                run_batch,
                native.__version__,
                task,
                [(run, study._native.settings(run)) for run in runs],
                retries=RETRIES,
                pure=False,
            )
            for runs in _batches(missing, size)
        ]
        done = study.runs - len(missing)
        try:
            for future in as_completed(futures):
                rows = future.result()
                opened.add(rows)
                future.release()
                done += len(rows)
                if progress is not None:
                    progress(float(done), float(study.runs))
        except BaseException:
            client.cancel(futures)
            raise
    finally:
        if own:
            client.close()
