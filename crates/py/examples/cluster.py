"""What a Dask cluster adds: scaling from one worker to two, the overhead of a task, tasks per second of a scheduler.

    pip install './crates/py[cluster]'
    python crates/py/examples/cluster.py [RUNS]

A scheduler and workers of one thread each, all processes of their own on the loopback; the best of some rounds counts. Besides
wall time, which is worth as much as the machine is quiet, the processor time of scheduler, workers and client is told: what
it takes of them per run and task does not depend on what else the machine does.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple, Sequence

import rattleback as rb

ROUNDS = 3
SCENE = Path(__file__).with_name("bounce.toml")


def study(runs: int, duration: str) -> rb.Study:
    ranges = {"restitution": {"from": 0.2, "to": 0.9, "count": runs}}
    return rb.Study({"scene": str(SCENE), "outputs": ["ball.z_m"], "duration": duration, "parameters": ranges})


def start(kind: str, *options: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_" + kind, *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def nothing(k: int) -> int:
    return k


class Spent(NamedTuple):
    """Seconds of a call: by the clock, and of the processors."""

    wall: float
    scheduler: float
    workers: float
    client: float

    @property
    def processors(self) -> float:
        return self.scheduler + self.workers + self.client


def processor_time(process: subprocess.Popen[bytes] | None) -> float:
    import psutil

    times = psutil.Process(process.pid if process else None).cpu_times()
    return times.user + times.system


def timed(call: Any, processes: Sequence[subprocess.Popen[bytes]] = (), rounds: int = ROUNDS) -> Spent:
    """The round with the least processor time."""
    found = []
    for _ in range(rounds):
        before, begun = [processor_time(one) for one in (None, *processes)], time.perf_counter()
        call()
        wall = time.perf_counter() - begun
        spent = [processor_time(one) - was for one, was in zip((None, *processes), before)]
        found.append(Spent(wall, spent[1] if processes else 0.0, sum(spent[2:]), spent[0]))
    least = min(found, key=lambda one: one.processors)
    return least._replace(wall=min(one.wall for one in found))


def main() -> None:
    try:
        from distributed import Client
    except ImportError as missing:
        print(f"skipped: {missing}")
        return
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 64
    processes = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scheduler.json"
        processes.append(start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)))
        try:
            while not file.exists() or not file.read_text().endswith("}"):
                time.sleep(0.05)
            address = json.loads(file.read_text())["address"]
            worker = ["worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]
            processes.append(start(*worker))
            with Client(address, timeout=120) as client:
                client.wait_for_workers(1, timeout=120)
                measure(client, runs, processes, lambda: processes.append(start(*worker)))
        finally:
            for process in reversed(processes):
                process.kill()
                process.wait()


def measure(client: Any, runs: int, processes: list[subprocess.Popen[bytes]], add: Any) -> None:
    long, batch = study(runs, "3 s"), max(1, runs // 16)
    sweep = lambda: long.sweep(scheduler=client, batch=batch)  # noqa: E731
    sweep()
    one, inside = timed(sweep, processes), timed(lambda: long.sweep(threads=1))
    add()
    client.wait_for_workers(2, timeout=120)
    sweep()
    two, threads = timed(sweep, processes), timed(lambda: long.sweep(threads=2))
    each = inside.processors / runs
    print(f"{runs} runs of {1e3 * each:.1f} ms of processor time, {batch} to a task, best of {ROUNDS} rounds")
    print(f"by the clock: this process {inside.wall:.2f} s on one thread, {threads.wall:.2f} s on two; one worker {one.wall:.2f} s, two workers {two.wall:.2f} s")
    print(f"scaling efficiency from one worker to two: {one.wall / two.wall / 2:.1%} by the clock; of threads {inside.wall / threads.wall / 2:.1%}")
    print(f"processor time per run: {1e3 * each:.1f} ms in this process, {1e3 * one.processors / runs:.1f} ms with one worker, {1e3 * two.processors / runs:.1f} ms with two; two workers have {one.processors / two.processors:.1%} of the efficiency of one by it")
    count = 400
    short = study(count, "1 ms")
    alone, tasks = timed(lambda: short.sweep(threads=1)), timed(lambda: short.sweep(scheduler=client, batch=1), processes)
    batched = timed(lambda: short.sweep(scheduler=client, batch=50), processes)
    extra = [tasks.scheduler, tasks.workers - alone.processors, tasks.client]
    told = ", ".join(f"{name} {1e3 * max(0.0, x) / count:.2f} ms" for name, x in zip(("scheduler", "worker", "client"), extra))
    print(f"a short run: {1e3 * alone.processors / count:.2f} ms of processor time in this process; overhead of a task of one of them: {told}")
    print(f"short runs per second by the clock: {count / alone.wall:.0f} in this process, {count / tasks.wall:.0f} in tasks of one, {count / batched.wall:.0f} in tasks of fifty")
    many = 4000
    empty = timed(lambda: client.gather(client.map(nothing, range(many), pure=False)), processes)
    rate = many / empty.scheduler
    print(f"empty tasks: {many / empty.wall:.0f} per second by the clock; the scheduler takes {1e3 * empty.scheduler / many:.2f} ms of its processor each: at most {rate:.0f} per second")
    # A task with its rows costs the scheduler more than an empty one.
    least = 1000 * max(tasks.scheduler / count, empty.scheduler / many)
    print(f"so that 1,000 cores are kept busy by tasks of {least:.1f} s and longer, {least / each:.0f} of the runs above to a task: {1000 / each:.0f} of them per second")


if __name__ == "__main__":
    main()
