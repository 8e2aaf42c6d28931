"""Queries of a million pairs: this package beside the same in Rust, MuJoCo's and Coal's Python queries; two sweeps at once.

    cargo build --release -p rattleback-contact --example touches
    pip install ./crates/py mujoco coal
    python crates/py/examples/speed.py [PAIRS]

Ellipsoids of the same random poses, all cold. Python and Rust take turns, and the best round of each counts. MuJoCo and
Coal have no call for arrays of distance queries: their times are those of a loop, which is how they are called from Python, on
one thread; MuJoCo's includes moving both bodies (mj_kinematics), Coal's is one call of a prepared distance query. Ours is
told on all threads and on one. Two sweeps, each on one thread, are made after one another and then at once by two threads of
Python: how many processors they keep busy says whether they run in parallel, where the machine has two that are free. Ratios are of the same minutes on the same machine; those of processor time depend least on
what else it does.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Callable

import numpy as np

import rattleback as rb

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = ROOT / "target" / "release" / "examples" / "touches"
AXES = [0.3, 0.2, 0.1]
ROUNDS = 5


def poses(count: int) -> np.ndarray:
    random = np.random.default_rng(1)
    turned = random.normal(size=(count, 4))
    turned /= np.linalg.norm(turned, axis=1, keepdims=True)
    away = random.normal(size=(count, 3))
    away *= random.uniform(0.45, 0.9, (count, 1)) / np.linalg.norm(away, axis=1, keepdims=True)
    return np.concatenate([away, turned], axis=1)


def best(call: Callable[[], Any], rounds: int = 5) -> tuple[float, float]:
    """The least times of some rounds in s, by the clock and of the processors; what is found is given back after them, as in
    the Rust program."""
    times, processors = [], []
    for _ in range(rounds):
        begun, worked = time.perf_counter(), time.process_time()
        found = call()
        times.append(time.perf_counter() - begun)
        processors.append(time.process_time() - worked)
        del found
    return min(times), min(processors)


def mujoco_loop(rows: np.ndarray) -> Callable[[], Any]:
    import mujoco

    body = '<body><freejoint/><geom type="ellipsoid" size="0.3 0.2 0.1"/></body>'
    model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{body}{body}</worldbody></mujoco>")
    data, segment = mujoco.MjData(model), np.zeros(6)

    def loop() -> None:
        data.qpos[:7] = [0, 0, 0, 1, 0, 0, 0]
        for row in rows:
            data.qpos[7:] = row
            mujoco.mj_kinematics(model, data)
            mujoco.mj_geomDistance(model, data, 0, 1, 10.0, segment)

    return loop


def coal_loop(rows: np.ndarray) -> Callable[[], Any]:
    import coal

    shape, origin = coal.Ellipsoid(*AXES), coal.Transform3s()
    query = coal.ComputeDistance(shape, shape)
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    places = []
    for x, y, z, qw, qx, qy, qz in rows:
        turned = np.array(
            [
                [1 - 2 * (qy * qy + qz * qz), 2 * (qx * qy - qw * qz), 2 * (qx * qz + qw * qy)],
                [2 * (qx * qy + qw * qz), 1 - 2 * (qx * qx + qz * qz), 2 * (qy * qz - qw * qx)],
                [2 * (qx * qz - qw * qy), 2 * (qy * qz + qw * qx), 1 - 2 * (qx * qx + qy * qy)],
            ]
        )
        places.append(coal.Transform3s(turned, np.array([x, y, z])))

    # The query refers to the shape without holding it.
    def loop(held: Any = shape) -> None:
        for place in places:
            result.clear()
            query(origin, place, request, result)

    return loop


def rust(rows: np.ndarray, threads: int) -> tuple[float, float]:
    """Time per pair in s of one round in Rust, and the sum of all gaps in m."""
    environment = {**os.environ, "RAYON_NUM_THREADS": str(threads)}
    done = subprocess.run([PROGRAM, "1"], input=rows.tobytes(), capture_output=True, check=True, env=environment)
    took, total = done.stdout.split()
    return float(took) / len(rows), float(total)


def processor_times(rows: np.ndarray, shape: rb.Shape, threads: int) -> tuple[float, float]:
    """Processor time per pair in s, here and in Rust, whose program takes some to begin."""

    def children(rounds: int) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        environment = {**os.environ, "RAYON_NUM_THREADS": str(threads)}
        subprocess.run([PROGRAM, str(rounds)], input=rows.tobytes(), capture_output=True, check=True, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    own, theirs = [], []
    for _ in range(ROUNDS):
        own.append(best(lambda: rb.touch(shape, shape, None, rows), 1)[1])
        theirs.append((children(4) - children(1)) / 3)
    return min(own) / len(rows), min(theirs) / len(rows)


def sweeps_at_once(runs: int = 400) -> None:
    """Two sweeps after one another, and at once."""
    scene, done = str(Path(__file__).with_name("bounce.toml")), [0, 0]
    ranges = {"restitution": {"from": 0.2, "to": 0.9, "count": runs}}
    study = rb.Study({"scene": scene, "outputs": ["ball.z_m"], "duration": "2 s", "parameters": ranges})
    beside: list[int] = []

    def sweep(k: int) -> None:
        def told(rows: float, whole: float) -> None:
            done[k] = int(rows)

        study.sweep(threads=1, progress=told)
        beside.append(done[1 - k])

    def both() -> None:
        threads = [threading.Thread(target=sweep, args=(k,)) for k in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    each, _ = best(lambda: (sweep(0), sweep(1)), 1)
    done[:], beside[:] = [0, 0], []
    begun, worked = time.perf_counter(), time.process_time()
    both()
    wall, work = time.perf_counter() - begun, time.process_time() - worked
    print(
        f"two sweeps of {runs} runs: {each:.2f} s one after the other, {wall:.2f} s at once by two threads, with {work / wall:.2f} processors "
        f"busy; when the first was done, the other had {beside[0]} rows"
    )


def main() -> None:
    if len(sys.argv) > 2:
        # One thread, which is said once per process.
        rb.set_threads(1)
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    rows, shape = poses(count), rb.Shape("ellipsoid", semi_axes=AXES)
    rb.touch(shape, shape, None, rows[:1000])
    own, theirs, total = float("inf"), float("inf"), float("nan")
    for _ in range(ROUNDS):
        own = min(own, best(lambda: rb.touch(shape, shape, None, rows), 1)[0] / count)
        if PROGRAM.exists():
            took, total = rust(rows, 1 if len(sys.argv) > 2 else 0)
            theirs = min(theirs, took)
    threads = "one thread" if len(sys.argv) > 2 else "all threads"
    print(f"rattleback, Python   {own * 1e9:9.1f} ns per pair, {count} pairs on {threads}")
    if PROGRAM.exists():
        gaps = float(np.sum(rb.touch(shape, shape, None, rows).gap))
        print(f"rattleback, Rust     {theirs * 1e9:9.1f} ns per pair; Python has {theirs / own:.1%} of its speed")
        here, there = processor_times(rows, shape, 1 if len(sys.argv) > 2 else 0)
        print(f"processor time       {here * 1e9:9.1f} and {there * 1e9:.1f} ns per pair: by it Python has {there / here:.1%} of Rust's speed")
        print(f"sums of gaps         {gaps!r} and {total!r} m")
    else:
        print(f"rattleback, Rust: {PROGRAM} is not built")
    if len(sys.argv) > 2:
        return
    some = list(rows[: min(count, 20_000)])
    wall, batch = (x / count for x in best(lambda: rb.touch(shape, shape, None, rows)))
    _, loop = (x / len(some) for x in best(lambda: [rb.touch(shape, shape, None, row).gap for row in some]))
    print(f"rattleback, one call per pair {loop * 1e9:9.1f} ns of processor time")
    for name, make in (("MuJoCo", mujoco_loop), ("Coal", coal_loop)):
        try:
            took, worked = (x / len(some) for x in best(make(np.array(some))))
        except (ImportError, AttributeError) as missing:
            print(f"{name}: skipped ({missing})")
            continue
        print(
            f"{name + ', Python':20} {worked * 1e9:9.1f} ns of processor time per pair: {worked / batch:.1f} times ours in arrays, "
            f"{worked / loop:.2f} times ours one by one; by the clock {took / wall:.1f} times ours in arrays"
        )
    sweeps_at_once()
    sys.stdout.flush()
    subprocess.run([sys.executable, __file__, str(count // 4), "one"], check=True)


if __name__ == "__main__":
    main()
