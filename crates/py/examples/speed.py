"""Queries of a million pairs: this package beside the same in Rust, MuJoCo's and Coal's Python queries.

    cargo build --release -p rattleback-contact --example touches
    pip install ./crates/py mujoco coal
    python crates/py/examples/speed.py [PAIRS]

Ellipsoids of the same random poses, all cold. MuJoCo and Coal have no call for arrays: their times are those of a loop,
which is how they are called from Python; MuJoCo's includes moving both bodies (mj_kinematics), Coal's is one distance
query. Ratios are of the same minutes on the same machine.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable

import numpy as np

import rattleback as rb

ROOT = Path(__file__).resolve().parents[3]
AXES = [0.3, 0.2, 0.1]


def poses(count: int) -> np.ndarray:
    random = np.random.default_rng(1)
    turned = random.normal(size=(count, 4))
    turned /= np.linalg.norm(turned, axis=1, keepdims=True)
    away = random.normal(size=(count, 3))
    away *= random.uniform(0.45, 0.9, (count, 1)) / np.linalg.norm(away, axis=1, keepdims=True)
    return np.concatenate([away, turned], axis=1)


def best(call: Callable[[], Any], rounds: int = 3) -> float:
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        call()
        times.append(time.perf_counter() - begun)
    return min(times)


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

    def loop() -> None:
        for place in places:
            result.clear()
            coal.distance(shape, origin, shape, place, request, result)

    return loop


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    rows, shape = poses(count), rb.Shape("ellipsoid", semi_axes=AXES)
    program = ROOT / "target" / "release" / "examples" / "touches"
    own = best(lambda: rb.touch(shape, shape, None, rows)) / count
    print(f"rattleback, Python   {own * 1e9:9.1f} ns per pair, {count} pairs on all threads")
    if program.exists():
        told = subprocess.run([program, "3"], input=rows.tobytes(), capture_output=True, check=True).stdout.split()
        rust, total = float(told[0]) / count, float(told[1])
        gaps = float(np.sum(rb.touch(shape, shape, None, rows).gap))
        print(f"rattleback, Rust     {rust * 1e9:9.1f} ns per pair; Python has {rust / own:.1%} of its speed")
        print(f"sums of gaps         {gaps!r} and {total!r} m")
    some = rows[: min(count, 20_000)]
    for name, make in (("MuJoCo", mujoco_loop), ("Coal", coal_loop)):
        try:
            took = best(make(some)) / len(some)
        except ImportError as missing:
            print(f"{name}: not there ({missing})")
            continue
        print(f"{name + ', Python':20} {took * 1e9:9.1f} ns per pair; {took / own:.1f} times as long as ours")


if __name__ == "__main__":
    main()
