"""What a Dask cluster adds: scaling from one worker to two, the overhead of a task, tasks per second of a scheduler.

    pip install './crates/py[cluster]'
    python crates/py/examples/cluster.py [RUNS]

A scheduler and workers of one thread each, all processes of their own on the loopback. Rounds with one worker and with two
take turns, and the best of each counts, so that whatever else the machine does weighs on both.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

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


def timed(call: Any) -> float:
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


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
                measure(client, runs, lambda: processes.append(start(*worker)))
        finally:
            for process in reversed(processes):
                process.kill()
                process.wait()


def measure(client: Any, runs: int, add: Any) -> None:
    long, batch = study(runs, "3 s"), max(1, runs // 16)
    sweep = lambda: long.sweep(scheduler=client, batch=batch)  # noqa: E731
    sweep()
    alone = min(timed(sweep) for _ in range(ROUNDS))
    local = min(timed(lambda: long.sweep(threads=1)) for _ in range(ROUNDS))
    add()
    client.wait_for_workers(2, timeout=120)
    sweep()
    both = min(timed(sweep) for _ in range(ROUNDS))
    one_thread = min(timed(lambda: long.sweep(threads=1)) for _ in range(ROUNDS))
    two_threads = min(timed(lambda: long.sweep(threads=2)) for _ in range(ROUNDS))
    print(f"{runs} runs of {1e3 * local / runs:.1f} ms, {batch} to a task, best of {ROUNDS} rounds")
    print(f"in this process, one thread {local:.2f} s; one worker {alone:.2f} s; two workers {both:.2f} s")
    print(f"efficiency from one worker to two: {alone / both / 2:.1%}; of threads in this process, same minutes: {one_thread / two_threads / 2:.1%}")
    short = study(400, "1 ms")
    inside = min(timed(lambda: short.sweep(threads=1)) for _ in range(ROUNDS))
    tasks = min(timed(lambda: short.sweep(scheduler=client, batch=1)) for _ in range(ROUNDS))
    print(f"a short run: {1e3 * inside / 400:.2f} ms in this process, {1e3 * tasks / 400:.2f} ms as a task of its own on two workers")
    batched = min(timed(lambda: short.sweep(scheduler=client, batch=50)) for _ in range(ROUNDS))
    print(f"short runs per second: {400 / inside:.0f} in this process, {400 / tasks:.0f} in tasks of one, {400 / batched:.0f} in tasks of fifty")
    count = 4000
    empty = min(timed(lambda: client.gather(client.map(nothing, range(count), pure=False))) for _ in range(ROUNDS))
    rate = count / empty
    print(f"empty tasks: {1e3 * empty / count:.2f} ms each, {rate:.0f} per second through this scheduler")
    print(f"so that 1,000 cores are kept busy by tasks of {1000 / rate:.1f} s and longer, which is {1000 / rate / (local / runs):.0f} of the runs above to a task")


if __name__ == "__main__":
    main()
