"""Sweeps on a Dask cluster: a scheduler and workers that are processes of their own, on the loopback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest
from test_study import GRID, same

import rattleback as rb

pytest.importorskip("distributed")

# Enough runs, each long enough, that a third of them is not over before anybody is killed.
RUNS = 60
STUDY: dict[str, Any] = {
    "outputs": ["ball.z_m", "energy.damped_J"],
    "duration": "2 s",
    "parameters": {"restitution": {"from": 0.2, "to": 0.9, "count": RUNS}},
}
CLIENT = """
import json, sys, rattleback as rb
study, folder, scheduler = json.loads(sys.argv[1]), sys.argv[2], sys.argv[3]
rb.Study(study).sweep(folder, scheduler=scheduler, batch=1)
"""


class Cluster:
    """A scheduler and workers."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.folder, self.processes = folder, []
        self.file = folder / "scheduler.json"
        self.start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(self.file))
        wait(lambda: self.file.exists() and self.file.read_text().endswith("}"))
        self.address: str = json.loads(self.file.read_text())["address"]
        self.workers = [self.worker() for _ in range(workers)]

    def start(self, kind: str, *options: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + kind, *options],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder,
        )  # fmt: skip
        self.processes.append(process)
        return process

    def worker(self) -> subprocess.Popen[bytes]:
        return self.start("worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


def wait(until: Callable[[], bool]) -> None:
    """Waits until it is so; a cluster that never comes up is ended by the deadline."""
    deadline = time.monotonic() + 120
    while not until():
        assert time.monotonic() < deadline, "the cluster did not come up"
        time.sleep(0.01)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """Three workers."""
    found = Cluster(tmp_path, 3)
    try:
        from distributed import Client

        with Client(found.address, timeout=120) as client:
            client.wait_for_workers(3, timeout=120)
        yield found
    finally:
        found.close()


def rows_of(log: Path) -> int:
    """How many whole rows a log has."""
    return max(0, log.read_bytes().count(b"\n") - 1) if log.exists() else 0


def test_workers_and_clients_that_are_killed_change_no_row(cluster: Cluster, bounce: Path, tmp_path: Path) -> None:
    study = {**STUDY, "scene": str(bounce)}
    local = rb.Study(study).sweep(tmp_path / "local")
    log = tmp_path / "rows" / "rows.jsonl"
    command = [sys.executable, "-c", CLIENT, json.dumps(study), str(tmp_path / "rows"), cluster.address]
    client = subprocess.Popen(command)

    def await_rows(count: int) -> None:
        while rows_of(log) < count:
            assert client.poll() is None, "it ended before it was killed"
            time.sleep(0.002)

    await_rows(3)
    os.kill(cluster.workers[0].pid, signal.SIGKILL)
    cluster.worker()
    await_rows(8)
    client.kill()
    client.wait()
    had = log.read_text().splitlines()
    assert 8 <= len(had) - 1 < RUNS
    subprocess.run(command, check=True)
    lines = log.read_text().splitlines()
    assert lines[: len(had)] == had, "no row changes"
    assert sorted(json.loads(line)["run"] for line in lines[1:]) == list(range(RUNS)), "each run once"
    assert same(rb.Study(study).sweep(tmp_path / "rows"), local)
    tables = [(tmp_path / folder / "rows.parquet").read_bytes() for folder in ("local", "rows")]
    assert tables[0] == tables[1]


def test_a_worker_that_vanishes_while_the_client_stays_changes_no_row(
    cluster: Cluster, bounce: Path, tmp_path: Path
) -> None:
    study = rb.Study({**STUDY, "scene": str(bounce)})
    killed: list[int] = []

    def kill(done: float, whole: float) -> None:
        if not killed and done >= 4:
            os.kill(cluster.workers[0].pid, signal.SIGKILL)
            killed.append(int(done))
            cluster.worker()

    rows = study.sweep(tmp_path / "cluster", scheduler=cluster.address, batch=1, progress=kill)
    assert killed and killed[0] < RUNS
    assert same(rows, study.sweep(threads=1))


def test_the_command_has_a_cluster_make_its_runs(
    cluster: Cluster, command: str, bounce: Path, tmp_path: Path
) -> None:
    study = bounce.parent / "study.json"
    study.write_text(json.dumps({**GRID, "scene": bounce.name}))
    sweep = [command, "sweep", str(study), "--json"]
    on = ["--scheduler", cluster.address, "--python", sys.executable]
    told = subprocess.run([*sweep, "-o", str(tmp_path / "cluster"), *on], check=True, capture_output=True, text=True)
    assert json.loads(told.stdout)["finished"] == 24
    subprocess.run([*sweep, "-o", str(tmp_path / "local")], check=True, capture_output=True)
    tables = [(tmp_path / folder / "rows.parquet").read_bytes() for folder in ("local", "cluster")]
    assert tables[0] == tables[1]
    # Nothing answers there.
    on = ["--scheduler", "tcp://127.0.0.1:1", "--python", sys.executable]
    environment = {**os.environ, "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "1s"}
    refused = subprocess.run([*sweep, "-o", str(tmp_path / "none"), *on], capture_output=True, env=environment)
    assert refused.returncode != 0


def test_a_worker_of_another_version_is_refused(bounce: Path) -> None:
    from rattleback import _cluster

    study = rb.Study({**STUDY, "scene": str(bounce)})
    with pytest.raises(rb.SweepError, match="0.0.0"):
        _cluster.run_batch("0.0.0", study._native.task(), [(0, study._native.settings(0))])
