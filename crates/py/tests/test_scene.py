"""Scenes, runs and results: the same bits as the command writes."""

from __future__ import annotations

import csv
import gc
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from conftest import BOUNCE

import rattleback as rb


def test_records_in_memory_and_in_a_folder_are_those_of_the_command(command: str, bounce: Path, tmp_path: Path) -> None:
    subprocess.run([command, "run", str(bounce), "-o", str(tmp_path / "own"), "--no-report", "--quiet"], check=True)
    scene = rb.Scene(bounce)
    result = scene.run(tmp_path / "folder")
    assert result.status == "finished" and result.healthy and result.folder == str(tmp_path / "folder")
    for name in ("states", "contacts", "events", "energies"):
        files = [tmp_path / folder / f"{name}.csv" for folder in ("own", "folder")]
        assert files[0].read_bytes() == files[1].read_bytes(), name
    memory = scene.run()
    assert memory.folder is None and memory.verdict == result.verdict
    opened = rb.open_result(tmp_path / "own")
    for sheet in memory.sheets:
        ours, theirs = memory.sheet(sheet), opened.sheet(sheet)
        assert list(ours) == list(theirs)
        for column in ours:
            assert np.array_equal(ours[column], theirs[column], equal_nan=ours[column].dtype.kind == "f"), column
    with open(tmp_path / "own" / "states.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["body"] == "ball"]
    times, heights = memory.curve("ball.z_m")
    assert [float(row["time_s"]) for row in rows] == list(times)
    assert [float(row["z_m"]) for row in rows] == list(heights)
    assert memory.output("max ball.z_m") == heights.max() and memory.output("ball.z_m") == heights[-1]
    assert memory.unit("ball.z_m") == "m"


def test_a_scene_is_the_same_from_a_file_a_text_and_a_dictionary(bounce: Path) -> None:
    tomllib = pytest.importorskip("tomllib")

    heights = [
        rb.Scene(given).run().curve("ball.z_m")[1] for given in (bounce, str(bounce), BOUNCE, tomllib.loads(BOUNCE))
    ]
    assert all(np.array_equal(heights[0], other) for other in heights[1:])
    scene = rb.Scene(bounce)
    assert scene.bodies == ["floor", "ball"] and scene.duration == 0.3 and scene.parameters["radius"] == "0.01 m"
    assert repr(scene) == "<Scene 'A bouncing ball': 2 bodies, 0.3 s>"
    assert "<td style='text-align:left'>floor, ball</td>" in scene._repr_html_()
    assert pickle.loads(pickle.dumps(scene)).text == scene.text


def test_settings_take_the_place_of_parameters(bounce: Path) -> None:
    scene = rb.Scene(bounce, {"restitution": 0.2, "radius": "12 mm"})
    assert scene.parameters["restitution"] == "0.2" and scene.parameters["radius"] == "0.012 m"
    assert scene.with_settings({"restitution": 0.3}).parameters["restitution"] == "0.3"
    with pytest.raises(rb.SceneError) as raised:
        rb.Scene(bounce, {"restitutoin": 0.2})
    assert "did you mean" in str(raised.value)


def test_what_is_wrong_with_a_scene_has_field_line_and_expectation() -> None:
    with pytest.raises(rb.SceneError) as raised:
        rb.Scene(BOUNCE.replace('radius = "10 mm"', 'radius = "10 kg"').replace("fixed = true", "fixed = 3"))
    error = raised.value
    assert len(error.complaints) >= 2
    by_field = {complaint.field: complaint for complaint in error.complaints}
    fixed = by_field["bodies[0].fixed"]
    assert BOUNCE.splitlines()[fixed.line - 1].startswith("fixed") and fixed.column == 9
    assert fixed.expected == "true or false"


def test_a_run_step_by_step_goes_on_from_its_checkpoint_to_the_same_bits(bounce: Path) -> None:
    scene = rb.Scene(bounce)
    whole = scene.start()
    halves = scene.start()
    for time_s in np.linspace(0.01, 0.3, 30):
        whole.advance(time_s)
    for time_s in np.linspace(0.01, 0.3, 30):
        halves.advance(time_s)
        halves = scene.start(halves.checkpoint())
    assert whole.time == halves.time == 0.3
    assert np.array_equal(whole.states(), halves.states())
    assert whole.states().shape == (2, 13) and len(rb.STATE_COLUMNS) == 13
    assert whole.healthy and whole.steps > 30
    assert abs(whole.energy()["total_J"] - scene.start().energy()["total_J"]) < 1e-6
    frames = [run.time for run in scene.start().frames(every=0.1)]
    assert frames == [0.0, 0.1, 0.2, 0.3]


def test_steps_end_where_records_are_and_have_their_bits(bounce: Path) -> None:
    scene = rb.Scene(bounce)
    times, heights = scene.run().curve("ball.z_m")
    stepped = [run.states()[1, 2] for run in scene.start().frames()]
    assert np.array_equal(heights, stepped)


def test_contacts_push_while_bodies_overlap() -> None:
    scene = rb.Scene(BOUNCE.replace('position = [0, 0, "6 cm"]', 'position = [0, 0, "9.9 mm"]'))
    found = scene.start().advance(1e-5).contacts()
    assert found["body_a"] == ["floor"] and found["body_b"] == ["ball"]
    assert found["gap_m"][0] < 0 and found["normal_force_N"][0] > 0
    assert np.array_equal(np.sign(found["force_N"][0]), [0, 0, 1])


def test_a_broken_run_says_so() -> None:
    scene = rb.Scene(BOUNCE.replace("[run]", '[solver]\ntype = "many"\nstep = "3 ms"\n[run]'))
    result = scene.run()
    assert result.status == "broken" and not result.healthy and "step" in result.verdict


def test_tables_are_those_of_pandas_and_polars(bounce: Path, tmp_path: Path) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    result = rb.Scene(bounce).run(tmp_path / "folder")
    frame, other = result.pandas(), result.polars("energies")
    assert list(frame["body"].unique()) == ["floor", "ball"] and frame["z_m"].dtype == np.float64
    assert other.height == result.manifest["outputs"]
    pytest.importorskip("pyarrow")
    stored = pandas.read_parquet(tmp_path / "folder" / "states.parquet")
    assert stored["z_m"].equals(frame["z_m"])
    assert polars.read_parquet(tmp_path / "folder" / "energies.parquet")["total_J"].equals(other["total_J"])


def test_curves_are_drawn_in_one_call(bounce: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    result = rb.Scene(bounce).run()
    axes = result.plot("ball.z_m", "ball.vz_m_per_s", "energy.total_J")
    assert [axis.get_ylabel() for axis in axes] == ["m", "m/s", "J"]
    assert len(axes[0].lines[0].get_xdata()) == result.manifest["outputs"]
    with pytest.raises(rb.RecordError):
        result.plot("bell.z_m")


def test_progress_is_told_to_functions_and_bars(bounce: Path) -> None:
    seen: list[tuple[float, float]] = []
    rb.Scene(bounce).run(progress=lambda done, whole: seen.append((done, whole)))
    assert seen[-1] == (0.3, 0.3)

    class Bar:
        total, n = 0.0, 0.0

        def update(self, by: float) -> None:
            self.n += by

    bar = Bar()
    rb.Scene(bounce).run(progress=bar)
    assert bar.n == bar.total == 0.3

    def angry(done: float, whole: float) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        rb.Scene(bounce).run(progress=angry)


# A ball that never comes to rest: a run that ends only when it is told to.
LONG = BOUNCE.replace("restitution = 0.7", "restitution = 1.0").replace('"0.3 s"', '"1e5 s"').replace('"5 ms"', '"1 s"')


def test_ctrl_c_ends_a_run() -> None:
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        rb.Scene(LONG).run()
    timer.join()


def test_other_threads_go_on_while_a_run_does() -> None:
    """Between two callbacks of a run its thread runs no Python: what another thread counts from the end of one to the begin
    of the next, it counts beside the run. The run ends when that is enough, or is given up after many callbacks."""
    scene, stop, counted = rb.Scene(LONG), threading.Event(), [0]
    beside, left, calls = [0], [-1], [0]

    def count() -> None:
        while not stop.is_set():
            counted[0] += 1

    def look(done: float, whole: float) -> None:
        beside[0] += counted[0] - left[0] if left[0] >= 0 else 0
        calls[0] += 1
        if beside[0] > 10_000 or calls[0] > 400:
            raise StopIteration
        left[0] = counted[0]

    counting = threading.Thread(target=count)
    counting.start()
    try:
        with pytest.raises((StopIteration, RuntimeError)):
            scene.run(progress=look)
    finally:
        stop.set()
        counting.join()
    assert beside[0] > 10_000


def test_two_runs_in_two_threads_are_both_under_way_at_once() -> None:
    """Each run waits in its callback until the other one has called back too, which one after the other never could."""
    scene, both = rb.Scene(LONG), threading.Barrier(2, timeout=60)

    def met(done: float, whole: float) -> None:
        both.wait()
        raise StopIteration

    ended = []

    def run() -> None:
        try:
            scene.run(progress=met)
        except (StopIteration, RuntimeError):
            ended.append(True)

    threads = [threading.Thread(target=run) for _ in range(2)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert ended == [True, True]


def test_memory_stays_flat_over_many_runs_and_queries() -> None:
    resource = pytest.importorskip("resource")
    scene = rb.Scene(BOUNCE.replace('"0.3 s"', '"10 ms"'))
    a, rows = rb.Shape("ellipsoid", semi_axes=[0.3, 0.2, 0.1]), np.tile([0.7, 0, 0, 1, 0, 0, 0], (1000, 1))

    def work(count: int) -> int:
        for _ in range(count):
            scene.run().sheet("states")
            rb.contact(a, a, None, rows)
            try:
                rb.Scene("bodies = 3")
            except rb.SceneError:
                pass
        gc.collect()
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()

    if sys.platform != "linux":
        pytest.skip("reads /proc")
    before = work(200)
    assert work(1000) - before < 4 << 20


def test_sensitivities_are_those_of_formulas() -> None:
    scene = rb.Scene(BOUNCE.replace('"0.3 s"', '"50 ms"'), {"restitution": 0.7})
    found = scene.sensitivity(["ball.vz_m_per_s", "ball.z_m"], ["radius", "restitution"])
    # It falls freely for 50 ms, whatever it is made of.
    assert found.derivatives.shape == (2, 2)
    assert np.allclose(found.values, [-9.81 * 0.05, 0.06 - 0.5 * 9.81 * 0.05**2], rtol=1e-9)
    assert np.allclose(found.derivatives, 0, atol=1e-9)
    with pytest.raises(rb.ArgumentError):
        scene.sensitivity(["ball.z_m"], ["rdius"])


def test_sensitivities_are_those_of_the_command_to_its_digits(command: str, bounce: Path) -> None:
    outputs, parameters = ["max ball.vz_m_per_s", "energy.damped_J"], ["restitution", "radius"]
    told = subprocess.run(
        [command, "sensitivity", str(bounce), *outputs, "--of", "restitution", "--of", "radius", "--json"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = rb.Scene(bounce).sensitivity(outputs, parameters)
    [table] = [part for part in json.loads(told.stdout)["parts"] if "rows" in part]
    rows = [dict(zip(table["columns"], row)) for row in table["rows"]]
    assert len(rows) == 4
    for row in rows:
        o, p = outputs.index(row["output"]), parameters.index(row["parameter"])
        assert f"{found.values[o]:.6f}" == row["value"]
        assert f"{found.derivatives[o, p]:.6f}" == row["derivative"]


def test_sensitivities_are_those_of_rust_to_the_bit(command: str, bounce: Path) -> None:
    program = Path(command).parent / "examples" / "sensitivities"
    if not program.exists():
        pytest.skip("cargo build --profile test -p rattleback-sweep --example sensitivities")
    outputs, parameters = ["max ball.vz_m_per_s", "energy.damped_J", "ball.z_m"], ["restitution", "radius"]
    told = subprocess.run(
        [program, bounce, ",".join(parameters), ",".join(outputs)], capture_output=True, check=True
    ).stdout
    wanted = np.frombuffer(told, dtype="<f8")
    assert wanted.shape == (15,) and np.count_nonzero(wanted[3:9]) == 6
    found = rb.Scene(bounce).sensitivity(outputs, parameters)
    assert np.array_equal(found.values, wanted[:3])
    assert np.array_equal(found.derivatives, wanted[3:9].reshape(3, 2))
    assert np.array_equal(found.errors, wanted[9:].reshape(3, 2))
