"""Wrong calls are exceptions, never an abort: ten thousand of them, drawn at random, in a process of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = r"""
import json, random, sys
import numpy as np
import rattleback as rb

random.seed(int(sys.argv[1]))
ball = rb.Shape("sphere", radius=0.1)
good = np.array([[0.5, 0, 0, 1, 0, 0, 0]] * 3)
scene = {
    "title": "A ball falls",
    "gravity": [0, 0, -9.81],
    "parameters": {"height": 0.05},
    "bodies": [{"name": "ball", "shape": {"type": "sphere", "radius": 0.01}, "mass": 1, "position": [0, 0, "=height"]}],
    "run": {"duration": 0.01},
}
fine = rb.Scene(scene)
record = fine.run()
stepper = fine.start()
with open("scene.json", "w") as file:
    json.dump(scene, file)
study = rb.Study({"scene": "scene.json", "outputs": ["ball.z_m"], "parameters": {"height": {"values": [0.05, 0.06]}}})
fallen = {"ball.z_m": ([0.0, 0.005], [0.05, 0.0499])}

def junk():
    return random.choice([
        None, True, -1, 10**400, 1e308, float("nan"), float("inf"), "", "text", "=1/0", "3 kg", b"bytes", [], {}, [[]],
        object(), lambda: 1, np.zeros(0), np.zeros((2, 7)), np.zeros((3, 6)), np.full((3, 7), np.nan),
        np.zeros((3, 7), dtype=complex), np.array(["a"] * 7), np.zeros((1, 1, 7)), np.zeros((3, 7), dtype=object),
        np.full((2, 7), np.inf), np.zeros(7, dtype=bool), np.zeros((3, 14))[:, ::2], np.zeros((3, 7))[::-1], "a\0b",
        np.zeros((3, 7), dtype=">f8"), np.array(3.0), 1 + 2j, range(7), {"type": "sphere"}, {"type": "sphere", "radius": -1},
        "\ud800", [1, [2]], {1: 2}, np.float32("nan"), -0.0, 2**63, np.datetime64("2020-01-01"),
        np.zeros((3, 7), dtype=np.longdouble), np.ma.masked_array([1.0] * 7, mask=[1] * 7),
    ])

def junk_text():
    return random.choice(["", "ball", "ball.q", "=1", "a\0b", "\ud800", "energy", "max ball.z_m", "0"])

law = rb.Law(stiffness=1e7, normal={"law": "exact", "restitution": 0.5})

def model(shape):
    made = rb.Model("A ball", gravity=[0, 0, 0])
    made.body("ball", shape, mass=1)
    return made

def piece():
    made = model({"type": "sphere", "radius": 0.1})
    random.choice([
        lambda: made.parameter(junk(), junk()),
        lambda: made.material(junk(), density=junk()),
        lambda: made.shape("s", junk()),
        lambda: made.joint(junk(), junk()),
        lambda: made.joint("revolute", ["ball", "ball"], axis=junk()),
        lambda: made.force(junk(), bodies=junk()),
        lambda: made.chain("c", diameter=junk()),
        lambda: made.contact(normal=junk()),
        lambda: made.exclude_contacts(junk(), junk()),
        lambda: made.repeat(junk(), junk()),
        lambda: made.solver(junk(), step=junk()),
        lambda: made.output(every=junk()),
    ])()
    return made.scene(0.01)

def changed():
    other = {key: value for key, value in scene.items()}
    other[random.choice([*scene, "unknown"])] = junk()
    return other

calls = [
    lambda: rb.touch(junk(), ball, None, good),
    lambda: rb.touch(ball, ball, junk(), junk()),
    lambda: rb.contact(ball, ball, good, junk()),
    lambda: rb.contact(ball, ball, good, good, errors=junk()),
    lambda: rb.derivatives(ball, ball, junk(), good),
    lambda: rb.Shape(junk(), radius=junk()),
    lambda: rb.Shape("sphere", radius=junk()),
    lambda: rb.Shape("ellipsoid", semi_axes=junk()),
    lambda: rb.Shape("convex_hull", points=junk()),
    lambda: rb.Shape("mesh", file=junk()),
    lambda: rb.Shape.read(junk()),
    lambda: rb.pose(junk(), junk()),
    lambda: rb.pose([0, 0, 0], axis=junk(), angle=junk()),
    lambda: rb.Scene(junk()),
    lambda: rb.Scene(changed()),
    lambda: rb.Scene(scene, {"height": junk()}),
    lambda: rb.Scene(scene, junk()),
    lambda: fine.run(duration=junk()),
    lambda: fine.run(every=junk()),
    lambda: fine.run(progress=junk()),
    lambda: fine.start(junk()),
    lambda: stepper.advance(junk()),
    lambda: list(fine.start().frames(junk() or "none", 0.01)),
    lambda: fine.start(random.choice([b"", b"{}", b"\xff", bytes(100), stepper.checkpoint()[:-1]])),
    lambda: fine.with_settings(junk()),
    lambda: record.sheet(junk()),
    lambda: record.curve(junk()),
    lambda: record.output(junk()),
    lambda: fine.sensitivity(junk(), junk()),
    lambda: rb.open_result(junk()),
    lambda: rb.Study(junk()),
    lambda: rb.Study({"scene": junk(), "outputs": junk(), "parameters": junk()}),
    lambda: rb.sweep(junk()),
    lambda: rb.sweep(study, junk(), threads=junk()),
    lambda: study.sweep(progress=junk()),
    lambda: study.sweep(scheduler=random.choice([3, 0.5, [], {}, b"tcp", object()])),
    lambda: study.settings(junk()),
    lambda: rb.set_threads(random.choice([2**40, 1025, 10**400, -1, 0.5, "2", None])),
    lambda: rb.fit(fine, junk(), junk()),
    lambda: rb.fit(junk(), ["height"], fallen),
    lambda: rb.fit(fine, {"height": junk()}, fallen),
    lambda: rb.fit(fine, ["height"], {"ball.z_m": (junk(), junk())}),
    lambda: rb.fit(fine, ["height"], {junk_text(): ([0.0], [0.05])}),
    lambda: rb.fit(fine, ["height"], fallen, scales=random.choice([junk(), {"ball.z_m": junk()}]), max_evaluations=1),
    lambda: rb.Law(normal=junk()),
    lambda: rb.Law(normal={"law": "exact", "restitution": junk()}, stiffness=junk(), materials=junk()),
    lambda: law.force(ball, ball, junk(), junk(), junk(), junk(), state=junk()),
    lambda: law.tangent(ball, ball, good, good, junk(), good[:, :6], state=junk()),
    lambda: model(junk()).scene(junk()),
    piece,
    lambda: rb.Model(junk(), gravity=junk(), source=junk()).scene(0.01),
    lambda: model(None).run(junk(), settings=junk()),
    lambda: model(None).body(junk(), junk()),
    lambda: fine.picture(junk()),
    lambda: record.xarray(junk()),
    lambda: record.export(junk(), rate=junk(), size=junk()),
    lambda: rb.gait.check(junk(), mass=junk(), table=junk()),
    lambda: record.unit(junk_text() + "?"),
    lambda: record.output(junk_text() + "?"),
    lambda: rb.gait.fit(junk(), stance=junk(), foot=junk()),
    lambda: rb.gait.predict(junk(), foot_model=junk()),
    lambda: rb.gait.leg(junk(), angles=junk(), during=junk()),
    lambda: rb.anchor.scene(junk()),
    lambda: rb.anchor.study(junk() or ["x"], cases=junk(), duration=junk()),
]
refused = 0
for _ in range(int(sys.argv[2])):
    try:
        random.choice(calls)()
    except (rb.RattlebackError, TypeError, ValueError, OSError, OverflowError):
        refused += 1
    except BaseException as error:
        print(type(error).__mro__, error)
        raise
print(refused)
"""


def test_ten_thousand_wrong_calls_are_exceptions(tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    done = subprocess.run([sys.executable, "-c", PROGRAM, "1", "10000"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    assert int(done.stdout.split()[-1]) > 8000, done.stdout
    assert "panicked" not in done.stderr, done.stderr[-4000:]
