"""Laws and forces of single contacts: what the engine has in the same place, to the bit, and its derivatives."""

from __future__ import annotations

import csv
import json
import pickle
import subprocess
from pathlib import Path

import numpy as np
import pytest

import rattleback as rb

STEEL = {"young": 2.1e11, "poisson": 0.3, "density": 7800.0}
EGG = rb.Shape("ellipsoid", semi_axes=[0.03, 0.02, 0.01])
FLOOR = rb.Shape("plane", normal=[0, 0, 1])
BRISTLE = {"law": "bristle", "coefficient": 0.3, "transition": 1e-3, "stiffness": 1e5, "damping": 10}
COULOMB = {"law": "coulomb", "coefficient": 0.3, "transition": "1 mm/s"}
LAWS = {
    "hertz": {"normal": {"law": "exact", "restitution": 0.7}, "friction": COULOMB},
    "bristle": {"normal": {"law": "flores", "restitution": 0.7}, "friction": BRISTLE},
    "spring": {"stiffness": "1e6 N/m", "normal": {"law": "kelvin-voigt", "damping": 50}},
    "rolling": {
        "stiffness": 1e8,
        "normal": {"law": "hunt-crossley", "restitution": 0.5},
        "friction": COULOMB,
        "resistance": {"rolling": 1e-4, "spinning": 1e-4, "transition": 0.1},
    },
}
TWIST = np.array([0.03, -0.02, -0.05, 0.4, 0.3, -0.6])


def place(depth: float = 1e-6) -> np.ndarray:
    """The egg, turned, so deep in the floor."""
    pose = rb.pose(axis=[1, 2, 3], angle=0.7)
    pose[2] = -rb.touch(FLOOR, EGG, None, pose).gap - depth
    return pose


@pytest.mark.parametrize("name", LAWS)
def test_forces_are_those_that_the_command_records(command: str, tmp_path: Path, name: str) -> None:
    pose, law = place(), rb.Law(materials=STEEL, **LAWS[name])
    model = rb.Model("An egg in a floor")
    steel = model.material("steel", **STEEL)
    model.body("floor", FLOOR, fixed=True, material=steel)
    model.body(
        "egg", EGG, material=steel, position=pose[:3], orientation={"quaternion": pose[3:]}, velocity=TWIST[:3],
        angular_velocity={"world": TWIST[3:]},
    )  # fmt: skip
    model.contact(**LAWS[name])
    (tmp_path / "egg.json").write_text(json.dumps({**json.loads(model.json()), "run": {"duration": 1e-9}}))
    subprocess.run(
        [command, "run", str(tmp_path / "egg.json"), "-o", str(tmp_path / "own"), "--no-report", "--quiet"], check=True
    )
    with open(tmp_path / "own" / "contacts.csv", newline="") as file:
        row = {key: float(value) for key, value in next(csv.DictReader(file)).items() if value and key.endswith(("_m", "_N"))}
    # The approach speed is what the contact remembers from before the bodies overlapped.
    [[_, memory]] = json.loads(model.start(1e-9).checkpoint())["pairs"]
    state = [memory["contact"]["approach_speed"], *memory["contact"]["bristle"]]
    found = law.force(FLOOR, EGG, None, pose, None, TWIST, state=state)
    assert (found.gap, found.normal_force) == (row["gap_m"], row["normal_force_N"])
    assert np.linalg.norm(found.friction) == row["friction_force_N"]
    assert list(found.state) == state
    own = model.start(1e-9).contacts()
    assert np.array_equal(found.force, own["force_N"][0]) and np.array_equal(found.point, own["point_m"][0])
    assert found.gap_rate == own["gap_rate_m_per_s"][0] and np.array_equal(found.normal, own["normal"][0])


@pytest.mark.parametrize("name", LAWS)
def test_tangents_are_those_of_differences(name: str) -> None:
    pose, law = place(1e-5), rb.Law(materials=STEEL, **LAWS[name])
    state = law.force(FLOOR, EGG, None, pose, None, TWIST).state
    exact = law.tangent(FLOOR, EGG, None, pose, None, TWIST, state=state)
    assert exact.by_pose.shape == exact.by_twist.shape == (12, 12) and exact.by_bristle.shape == (12, 3)

    def wrench(moved: np.ndarray, twist: np.ndarray) -> np.ndarray:
        found = law.force(FLOOR, EGG, None, moved, None, twist, state=state)
        return np.concatenate([found.wrench_a, found.wrench_b])

    for k in range(6):
        step = np.zeros(6)
        step[k] = 1e-6
        difference = (wrench(pose, TWIST + step) - wrench(pose, TWIST - step)) / 2e-6
        assert np.allclose(difference, exact.by_twist[:, 6 + k], rtol=1e-5, atol=1e-4), k
    for k in range(3):
        step = np.zeros(7)
        step[k] = 1e-9
        difference = (wrench(pose + step, TWIST) - wrench(pose - step, TWIST)) / 2e-9
        scale = np.abs(exact.by_pose).max()
        assert np.allclose(difference, exact.by_pose[:, 6 + k], rtol=1e-4, atol=1e-6 * scale), k


@pytest.mark.parametrize("name", LAWS)
def test_the_work_of_the_forces_is_what_the_powers_say(name: str) -> None:
    """−Ẇ = Ṡ + damped + friction_loss − stiffness_change, with Ṡ by a difference along the motion."""
    pose, law = place(1e-5), rb.Law(materials=STEEL, **LAWS[name])
    state = law.force(FLOOR, EGG, None, pose, None, TWIST).state

    def at(time: float) -> rb.ContactForce:
        moved = pose.copy()
        moved[:3] += TWIST[:3] * time
        spin = TWIST[3:] * time
        angle = np.linalg.norm(spin)
        w, v = np.cos(angle / 2), np.sin(angle / 2) * spin / angle if angle else np.zeros(3)
        w0, v0 = moved[3], moved[4:].copy()
        moved[3], moved[4:] = w * w0 - v @ v0, w * v0 + w0 * v + np.cross(v, v0)
        now = state.copy()
        now[1:] += law.force(FLOOR, EGG, None, pose, None, TWIST, state=state).bristle_rate * time
        return law.force(FLOOR, EGG, None, moved, None, TWIST, state=now)

    found, step = at(0.0), 1e-8
    work = found.wrench_b @ TWIST
    stored = (at(step).stored - at(-step).stored) / (2 * step)
    spent = stored + found.damped + found.friction_loss - found.stiffness_change
    assert found.damped >= 0 and found.friction_loss >= 0
    assert -work == pytest.approx(spent, rel=1e-4)


def test_rows_of_contacts_are_answered_as_one_by_one() -> None:
    law = rb.Law(materials=STEEL, **LAWS["hertz"])
    rows = np.array([place(depth) for depth in (1e-6, 2e-6, -1e-3, 3e-6)])
    many = law.force(FLOOR, EGG, None, rows, None, TWIST)
    for k, row in enumerate(rows):
        one = law.force(FLOOR, EGG, None, row, None, TWIST)
        assert many.normal_force[k] == one.normal_force and np.array_equal(many.wrench_b[k], one.wrench_b)
    assert many.normal_force[2] == 0 and many.patch.shape == (4, 2) and many.state.shape == (4, 4)
    tangents = law.tangent(FLOOR, EGG, None, rows, None, TWIST)
    assert np.array_equal(tangents.by_pose[1], law.tangent(FLOOR, EGG, None, rows[1], None, TWIST).by_pose)


def test_hertz_of_two_balls_is_the_textbooks() -> None:
    """F = 4/3 E* √R δ^1.5, a² = R δ, p₀ = 3F/(2πa²)."""
    ball, depth, radius = rb.Shape("sphere", radius=0.02), 1e-6, 0.01
    law = rb.Law(materials=STEEL, normal={"law": "hertz"})
    found = law.force(ball, ball, None, [0.04 - depth, 0, 0, 1, 0, 0, 0])
    modulus = 2.1e11 / (2 * (1 - 0.3**2))
    force = 4 / 3 * modulus * np.sqrt(radius) * depth**1.5
    assert found.normal_force == pytest.approx(force, rel=1e-9)
    assert found.patch == pytest.approx([np.sqrt(radius * depth)] * 2, rel=1e-9)
    assert found.pressure == pytest.approx(1.5 * force / (np.pi * radius * depth), rel=1e-9)


def test_a_law_that_is_refused_says_the_field() -> None:
    with pytest.raises(rb.SceneError) as raised:
        rb.Law(stiffness="1e7 N/m^1.5", normal={"law": "exact", "restitution": 3})
    assert raised.value.field == "contacts[0].normal.restitution"
    with pytest.raises(rb.SceneError, match="young"):
        rb.Law(normal={"law": "hertz"})
    law = rb.Law(stiffness=1e7, normal={"law": "hertz"})
    for wrong in ([1, 2], "text", [np.nan] * 6):
        with pytest.raises((rb.ArgumentError, rb.QueryError)):
            law.force(FLOOR, EGG, None, place(), None, wrong)
    assert repr(law) == "Law(normal={'law': 'hertz'}, stiffness=10000000.0)"
    assert pickle.loads(pickle.dumps(law)).exponent == law.exponent == 1.5
