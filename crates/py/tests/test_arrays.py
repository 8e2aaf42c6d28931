"""Arrays of every layout and kind, answers that are made when they are asked for, processes that were forked."""

from __future__ import annotations

import copy
import dataclasses
import multiprocessing
import pickle
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rattleback as rb

EGG = rb.Shape("ellipsoid", semi_axes=[0.3, 0.2, 0.1])
BALL = rb.Shape("sphere", radius=0.1)


def poses(count: int, seed: int = 1) -> np.ndarray:
    random = np.random.default_rng(seed)
    rows = random.normal(size=(count, 7))
    rows[:, 3:] /= np.linalg.norm(rows[:, 3:], axis=1, keepdims=True)
    return rows


def with_gaps(rows: np.ndarray) -> np.ndarray:
    wide = np.full((2 * len(rows), 21), np.nan)
    wide[::2, ::3] = rows
    return wide[::2, ::3]


def at_odd_addresses(rows: np.ndarray) -> np.ndarray:
    memory = np.zeros(rows.nbytes + 3, dtype=np.uint8)[3:].view(np.float64).reshape(rows.shape)
    memory[:] = rows
    assert not memory.flags.aligned
    return memory


def in_records(rows: np.ndarray) -> np.ndarray:
    records = np.zeros(len(rows), dtype=[("pose", "f8", 7), ("number", "u1")])
    records["pose"] = rows
    return records["pose"]


def read_only(rows: np.ndarray) -> np.ndarray:
    rows = rows.copy()
    rows.flags.writeable = False
    return rows


class Own(np.ndarray):
    """A subclass, which could say anything of its memory."""

    @property
    def __array_interface__(self) -> Any:
        return {"data": (8, False), "shape": (10**6, 7), "typestr": "<f8", "strides": None, "version": 3}


LAYOUTS = {
    "by columns": np.asfortranarray,
    "with gaps": with_gaps,
    "backwards": lambda rows: rows[::-1].copy()[::-1],
    "at odd addresses": at_odd_addresses,
    "in records": in_records,
    "read only": read_only,
    "of the other byte order": lambda rows: rows.astype(rows.dtype.newbyteorder()),
    "a subclass": lambda rows: rows.view(Own),
    "masked nowhere": lambda rows: np.ma.array(rows),
    "lists": lambda rows: rows.tolist(),
    "stored": lambda rows: pickle.loads(pickle.dumps(rows)),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_poses_are_the_same_however_they_lie(name: str, tmp_path: Path) -> None:
    rows = poses(700)
    made = LAYOUTS[name](rows)
    for ask in (rb.touch, rb.contact, rb.derivatives):
        wanted, found = ask(EGG, BALL, None, rows), ask(EGG, BALL, None, made)
        assert np.array_equal(found.gap, wanted.gap) and np.array_equal(found.point_b, wanted.point_b)
        one, wanted = ask(EGG, BALL, None, made[5]), ask(EGG, BALL, None, rows[5])
        assert np.array_equal(one.gap, wanted.gap) and np.array_equal(one.normal, wanted.normal)
    law = rb.Law(stiffness=1e6, normal={"law": "exact", "restitution": 0.5})
    near, twists = rows * [0.3, 0.3, 0.3, 1, 1, 1, 1], poses(700, 2)[:, :6]
    wanted_force = law.force(EGG, BALL, None, near, None, twists).force
    assert np.array_equal(law.force(EGG, BALL, None, LAYOUTS[name](near), None, twists).force, wanted_force)


def test_files_mapped_into_memory_are_read_where_they_are(tmp_path: Path) -> None:
    rows = poses(1000)
    rows.tofile(tmp_path / "rows")
    for mode in ("r", "r+", "c"):
        mapped = np.memmap(tmp_path / "rows", dtype=np.float64, mode=mode, shape=rows.shape)
        assert np.array_equal(rb.touch(EGG, BALL, None, mapped).gap, rb.touch(EGG, BALL, None, rows).gap)


@pytest.mark.parametrize("kind", ["i1", "u2", "i8", "u8", "f2", "f4"])
def test_numbers_of_other_kinds_become_doubles(kind: str) -> None:
    rows = np.array([[1, 0, 0, 1, 0, 0, 0], [2, 0, 0, 0, 0, 0, 1]], dtype=kind)
    doubles = rb.touch(EGG, BALL, None, rows.astype(float)).gap
    assert np.array_equal(rb.touch(EGG, BALL, None, rows).gap, doubles) and np.allclose(doubles, [0.6, 1.6], atol=1e-15)
    assert rb.touch(EGG, BALL, None, rows[0]).gap == doubles[0]


@pytest.mark.parametrize(
    "wrong",
    [
        np.array(3.0), np.zeros(0), np.zeros((0, 3)), np.zeros((2, 2, 7)), np.zeros((2, 7), dtype=bool),
        np.zeros((2, 7), dtype=complex), np.zeros((2, 7), dtype=object), np.zeros((2, 7), dtype=np.longdouble),
        np.zeros((2, 7), dtype="M8[s]"), np.zeros((2, 7), dtype="U3"), ["1"] * 7, [None] * 7, [10**400, 0, 0, 1, 0, 0, 0],
        np.ma.array([1.0, 0, 0, 1, 0, 0, 0], mask=[1, 0, 0, 0, 0, 0, 0]), np.full((2, 7), np.nan), np.full(7, np.inf), [0.0] * 7,
        "0000000", {1: 2},
    ],
)  # fmt: skip
def test_what_is_no_pose_is_refused_one_by_one_and_in_arrays(wrong: Any) -> None:
    for ask in (rb.touch, rb.contact, rb.derivatives):
        for pair in ((None, wrong), (wrong, None), (wrong, wrong)):
            with pytest.raises((rb.ArgumentError, rb.QueryError)) as raised:
                ask(EGG, BALL, *pair)
            assert raised.value.field in ("pose_a", "pose_b") and raised.value.expected


def test_more_pairs_than_there_is_memory_for_are_a_memory_error() -> None:
    endless = np.broadcast_to(poses(1)[0], (10**13, 7))
    for ask in (rb.touch, rb.derivatives):
        with pytest.raises(MemoryError):
            ask(EGG, BALL, None, endless)


def test_answers_are_whole_however_they_are_asked_for() -> None:
    rows = poses(50) * [0.3, 0.3, 0.3, 1, 1, 1, 1]
    many, one = rb.contact(EGG, BALL, None, rows), rb.contact(EGG, BALL, None, rows[0])
    for name in [field.name for field in dataclasses.fields(rb.Contact)][:-1]:
        assert np.array_equal(getattr(one, name), getattr(many, name)[0]), name
    assert rb.touch(EGG, BALL, None, rows[0]).curvature_a is None and rb.touch(EGG, BALL, None, rows).curvature_b is None
    for answer in (one, many, rb.touch(EGG, BALL), rb.derivatives(EGG, BALL, None, rows[0])):
        for again in (pickle.loads(pickle.dumps(answer)), copy.deepcopy(answer), dataclasses.replace(answer)):
            assert repr(again) == repr(answer) and np.array_equal(again.point_b, answer.point_b)
        with pytest.raises(AttributeError):
            answer.unknown
        with pytest.raises(dataclasses.FrozenInstanceError):
            answer.gap = 0.0
    # An array is made once, and is the caller's.
    one.normal[0] = 3.0
    assert one.normal[0] == 3.0 and one.normal is one.normal


def test_results_runs_and_rows_can_be_stored(bounce: Path, tmp_path: Path) -> None:
    scene = rb.Scene(str(bounce))
    for result in (scene.run(), scene.run(tmp_path / "folder"), rb.anchor.scene("stow").run(duration=0.01)):
        again = pickle.loads(pickle.dumps(result))
        assert again.manifest == result.manifest and again.outcome == result.outcome and repr(again) == repr(result)
        for sheet in result.sheets:
            for name, column in result.sheet(sheet).items():
                numeric = column.dtype.kind == "f"
                assert np.array_equal(again.sheet(sheet)[name], column, equal_nan=numeric), (sheet, name)
    result = scene.run()
    again = pickle.loads(pickle.dumps(result))
    assert np.array_equal(again.curve("ball.z_m"), result.curve("ball.z_m"))
    assert again.export(str(tmp_path / "page.html")) and "<html" in (tmp_path / "page.html").read_text()[:200].lower()
    run = scene.start().advance(0.1)
    taken = pickle.loads(pickle.dumps(run)).advance(0.2)
    assert np.array_equal(taken.states(), run.advance(0.2).states())


def asked_by_another(rows: np.ndarray) -> Any:
    """What a process that was forked is asked for: everything that has threads."""
    seen: list[Any] = []
    threads = [threading.Thread(target=lambda: seen.append(rb.touch(EGG, BALL, None, rows).gap)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    scene = rb.Scene(Path(__file__).resolve().parents[1] / "examples" / "bounce.toml")
    known = scene.sensitivity(["ball.z_m"], ["restitution"]).derivatives
    return seen, scene.run().curve("ball.z_m"), known, len(scene.picture((64, 48)))


@pytest.mark.skipif(not hasattr(multiprocessing, "get_context") or sys.platform == "win32", reason="no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_process_that_was_forked_computes_on_threads_of_its_own() -> None:
    rows = poses(5000)
    wanted = asked_by_another(rows)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        for found in pool.map_async(asked_by_another, [rows] * 3).get(timeout=300):
            assert all(np.array_equal(gap, wanted[0][0]) for gap in found[0]) and len(found[0]) == 3
            assert np.array_equal(found[1], wanted[1]) and np.array_equal(found[2], wanted[2]) and found[3] == wanted[3]


def test_an_array_that_another_thread_writes_to_gives_answers_or_an_error() -> None:
    program = """
import threading, numpy as np, rattleback as rb
ball = rb.Shape("sphere", radius=0.1)
rows, stop = np.tile([0.5, 0, 0, 1.0, 0, 0, 0], (200_000, 1)), threading.Event()
def write():
    while not stop.is_set():
        rows[:, 0] = 0.7
        rows[:, 0] = 0.5
        rows[::7, 1] = np.nan
        rows[:, 1] = 0
writer = threading.Thread(target=write)
writer.start()
for _ in range(20):
    found = rb.touch(ball, ball, None, rows, errors="nan").gap
    found = found[~np.isnan(found)]
    assert np.all(np.isclose(found, 0.3) | np.isclose(found, 0.5)), found
stop.set()
writer.join()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
