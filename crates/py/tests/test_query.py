"""Queries give what Rust gives, to the bit."""

from __future__ import annotations

import json
import pickle
import subprocess
from pathlib import Path

import numpy as np
import pytest

import rattleback as rb

SHAPES = [
    {"type": "sphere", "radius": 0.11},
    {"type": "ellipsoid", "semi_axes": [0.3, 0.2, 0.1]},
    {"type": "superellipsoid", "semi_axes": [0.2, 0.15, 0.1], "exponents": [4.0, 3.0]},
    {"type": "torus", "major_radius": 0.3, "minor_radius": 0.05},
    {"type": "cylinder", "radius": 0.1, "half_length": 0.2},
    {"type": "box", "size": [0.2, 0.3, 0.4]},
    {"type": "plane", "normal": [0, 0, 1]},
]


def poses(count: int, seed: int, reach: float = 0.6) -> np.ndarray:
    random = np.random.default_rng(seed)
    turned = random.normal(size=(count, 4))
    turned /= np.linalg.norm(turned, axis=1, keepdims=True)
    return np.concatenate([random.uniform(-reach, reach, (count, 3)), turned], axis=1)


def exact_poses(count: int, seed: int, reach: float = 1.0) -> np.ndarray:
    """Those whose quaternions have a length of one without rounding, so that to normalise them changes nothing."""
    rows, random = poses(count, seed, reach), np.random.default_rng(seed + 1)
    for row in rows:
        exact = random.permutation([[0.6, 0.8, 0, 0], [0.5, 0.5, 0.5, 0.5], [0.28, 0.96, 0, 0]][random.integers(3)])
        row[3:] = exact * random.choice([-1, 1], 4)
    return rows


def test_contacts_are_those_of_the_command_to_the_bit(command: str, tmp_path: Path) -> None:
    lines, asked = [], []
    for k, (pose_a, pose_b) in enumerate(zip(poses(200, 1), poses(200, 2))):
        a, b = SHAPES[k % 6], SHAPES[(k // 6) % 7]
        body = lambda shape, pose: {"shape": shape, "position": list(pose[:3]), "orientation": list(pose[3:])}  # noqa: E731
        lines.append(json.dumps({"id": k, "a": body(a, pose_a), "b": body(b, pose_b)}))
        asked.append((a, b, pose_a, pose_b))
    (tmp_path / "pairs.jsonl").write_text("\n".join(lines))
    told = subprocess.run(
        [command, "distance", str(tmp_path / "pairs.jsonl"), "--quiet"], capture_output=True, text=True
    ).stdout
    answers = [json.loads(line) for line in told.splitlines()]
    assert len(answers) == 200
    compared = 0
    for answer, (a, b, pose_a, pose_b) in zip(answers, asked):
        if "error" in answer:
            with pytest.raises(rb.QueryError):
                rb.contact(a, b, pose_a, pose_b)
            continue
        found = rb.contact(a, b, pose_a, pose_b)
        compared += 1
        assert found.gap == answer["gap"] and found.residual == answer["residual"]
        for name in ("point_a", "point_b", "normal", "curvature_a", "curvature_b", "relative_curvature"):
            own = [x if np.isfinite(x) else None for x in getattr(found, name)]
            assert own == answer[name], name
        assert (found.iterations, found.certified, found.branch) == (
            answer["iterations"],
            answer["certified"],
            answer["branch"],
        )
    assert compared > 150


def test_arrays_of_poses_are_answered_as_one_by_one() -> None:
    a, b = rb.Shape(SHAPES[1]), rb.Shape(SHAPES[2])
    rows_a, rows_b = poses(300, 3), poses(300, 4)
    for ask in (rb.touch, rb.contact):
        many = ask(a, b, rows_a, rows_b)
        for k in range(0, 300, 17):
            one = ask(a, b, rows_a[k], rows_b[k])
            assert many.gap[k] == one.gap and many.branch[k] == one.branch
            for name in ("normal", "point_a", "point_b"):
                assert np.array_equal(getattr(many, name)[k], getattr(one, name))
    many = rb.derivatives(a, b, rows_a, rows_b)
    assert many.gap.shape == (300, 12) and many.point_a.shape == (300, 3, 12)
    one = rb.derivatives(a, b, rows_a[5], rows_b[5])
    assert np.array_equal(many.normal[5], one.normal) and many.regularity[5] == one.regularity
    # One pose for all.
    assert np.array_equal(rb.touch(a, b, rows_a[0], rows_b).gap[:3], [rb.touch(a, b, rows_a[0], p).gap for p in rows_b[:3]])
    assert rb.touch(a, b, rows_a[:0], rows_b[:0]).normal.shape == (0, 3)


def test_the_gap_of_spheres_is_that_of_their_centres() -> None:
    a, b = rb.Shape("sphere", radius=0.1), rb.Shape("sphere", radius="20 cm")
    found = rb.touch(a, b, pose_b=rb.pose([0.3, 0.4, 0.0]))
    assert abs(found.gap - 0.2) < 1e-15 and found.certified and found.branch is None
    assert np.allclose(found.normal, [0.6, 0.8, 0.0], atol=1e-15)


def test_derivatives_are_those_of_differences() -> None:
    a, b = rb.Shape(SHAPES[1]), rb.Shape(SHAPES[2])
    place = rb.pose([0.5, 0.3, 0.2], axis=[1, 2, 3], angle=0.7)
    exact = rb.derivatives(a, b, None, place)
    assert exact.regularity == "smooth"
    for k in range(3):
        step = np.zeros(7)
        step[k] = 1e-6
        difference = rb.touch(a, b, None, place + step).gap - rb.touch(a, b, None, place - step).gap
        assert abs(difference / 2e-6 - exact.gap[6 + k]) < 1e-8


def test_derivatives_are_those_of_rust_to_the_bit(command: str) -> None:
    program = Path(command).parent / "examples" / "touches"
    if not program.exists():
        pytest.skip("cargo build --profile test -p rattleback-contact --example touches")
    rows, egg = exact_poses(300, 7), rb.Shape("ellipsoid", semi_axes=[0.3, 0.2, 0.1])
    told = subprocess.run([program, "derivatives"], input=rows.tobytes(), capture_output=True, check=True).stdout
    wanted = np.frombuffer(told, dtype="<f8").reshape(300, 16, 12)
    found = rb.derivatives(egg, egg, None, rows)
    parts = [found.gap[:, None, :], found.normal, found.point_a, found.point_b]
    parts += [found.curvature_a, found.curvature_b, found.relative_curvature]
    assert np.array_equal(np.concatenate(parts, axis=1), wanted, equal_nan=True)


def test_forces_and_tangents_are_those_of_rust_to_the_bit(command: str) -> None:
    program = Path(command).parent / "examples" / "touches"
    if not program.exists():
        pytest.skip("cargo build --profile test -p rattleback-contact --example touches")
    rows, egg = exact_poses(300, 11, reach=0.4), rb.Shape("ellipsoid", semi_axes=[0.3, 0.2, 0.1])
    told = subprocess.run([program, "tangents"], input=rows.tobytes(), capture_output=True, check=True).stdout
    wanted = np.frombuffer(told, dtype="<f8").reshape(300, 6 + 2 * 144)
    friction = {"law": "coulomb", "coefficient": 0.3, "transition": 1e-3}
    law = rb.Law(stiffness=1e7, normal={"law": "exact", "restitution": 0.5}, friction=friction)
    came = [0.3, -0.2, -0.5, 0.4, 0.3, -0.6]
    force, tangent = (ask(egg, egg, None, rows, None, came) for ask in (law.force, law.tangent))
    assert np.count_nonzero(force.normal_force) > 30
    assert np.array_equal(force.wrench_b, wanted[:, :6], equal_nan=True)
    assert np.array_equal(tangent.by_pose, wanted[:, 6:150].reshape(-1, 12, 12), equal_nan=True)
    assert np.array_equal(tangent.by_twist, wanted[:, 150:].reshape(-1, 12, 12), equal_nan=True)


def test_views_with_gaps_integers_and_single_precision_are_taken() -> None:
    ball = rb.Shape("sphere", radius=0.1)
    rows = poses(10, 5)
    wide = np.zeros((20, 14))
    wide[::2, ::2] = rows
    assert np.array_equal(rb.touch(ball, ball, None, wide[::2, ::2]).gap, rb.touch(ball, ball, None, rows).gap)
    assert np.array_equal(
        rb.touch(ball, ball, None, np.asfortranarray(rows)).gap, rb.touch(ball, ball, None, rows).gap
    )
    assert abs(rb.touch(ball, ball, None, [2, 0, 0, 1, 0, 0, 0]).gap - 1.8) < 1e-15
    single = rows.astype(np.float32)
    assert np.array_equal(rb.touch(ball, ball, None, single).gap, rb.touch(ball, ball, None, single.astype(float)).gap)


def test_a_pair_without_answer_is_an_exception_or_a_nan() -> None:
    ball = rb.Shape("sphere", radius=0.1)
    rows = poses(5, 6)
    rows[3, 0] = np.nan
    with pytest.raises(rb.QueryError) as raised:
        rb.touch(ball, ball, None, rows)
    assert raised.value.index == 3 and raised.value.field == "pose_b" and "finite" in str(raised.value.expected)
    found = rb.touch(ball, ball, None, rows, errors="nan")
    assert list(found.errors) == [3] and np.isnan(found.gap[3]) and np.isfinite(found.gap[[0, 1, 2, 4]]).all()


def test_many_pairs_are_answered_in_parts_as_one_by_one() -> None:
    ball, egg = rb.Shape("sphere", radius=0.1), rb.Shape(SHAPES[1])
    rows = poses(100_000, 9)
    found = rb.contact(egg, ball, None, rows)
    assert found.gap.shape == (100_000,) and found.relative_curvature.shape == (100_000, 2)
    for k in (0, 32_767, 32_768, 65_536, 99_999):
        one = rb.contact(egg, ball, None, rows[k])
        assert found.gap[k] == one.gap and np.array_equal(found.point_b[k], one.point_b) and found.branch[k] == one.branch
    rows[[40_000, 99_998], 1] = np.inf
    with pytest.raises(rb.QueryError, match="pair 40000") as raised:
        rb.touch(egg, ball, None, rows)
    assert raised.value.index == 40_000
    assert list(rb.touch(egg, ball, None, rows, errors="nan").errors) == [40_000, 99_998]


def test_a_shape_that_is_refused_says_the_field_and_what_was_expected() -> None:
    with pytest.raises(rb.SceneError) as raised:
        rb.Shape("sphere", radius="10 kg")
    assert raised.value.field == "radius" and "a length" in str(raised.value.expected)
    with pytest.raises(rb.SceneError) as raised:
        rb.Shape("shpere", radius=1)
    assert "sphere" in str(raised.value)


def test_shapes_show_themselves_and_can_be_stored() -> None:
    shape = rb.Shape("ellipsoid", semi_axes=[0.3, 0.2, 0.1])
    assert repr(shape) == "Shape('ellipsoid', semi_axes=[0.3, 0.2, 0.1])"
    again = pickle.loads(pickle.dumps(shape))
    assert np.array_equal(again.bounds, shape.bounds) and again.kind == shape.kind
    # Ends of the longest axes face each other: κ = a/b², a/c².
    told = repr(rb.contact(shape, shape, pose_b=rb.pose([1, 0, 0])))
    assert told.startswith("Contact(gap=0.3999999") and ", normal=[1., 0., 0.], " in told and ", certified=True, " in told
    assert ", curvature_a=[30. ,  7.5], " in told and "branch" not in told and "errors" not in told
    assert "point_b=<20 x 3>" in repr(rb.touch(shape, shape, None, poses(20, 10)))
