"""Sweeps: on threads, on a cluster, after kill -9, the same rows to the bit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rattleback as rb

GRID: dict[str, Any] = {
    "outputs": ["ball.z_m", "max ball.vz_m_per_s", "energy.damped_J"],
    "parameters": {
        "restitution": {"from": 0.2, "to": 0.9, "count": 8},
        "radius": {"values": ["10 mm", "12 mm", 0.015]},
    },
}


def same(a: rb.Sweep, b: rb.Sweep) -> bool:
    return list(a.columns) == list(b.columns) and all(
        np.array_equal(a[name], b[name], equal_nan=a[name].dtype.kind == "f") for name in a.columns
    )


def test_rows_are_those_of_the_command_and_of_single_runs(command: str, bounce: Path, tmp_path: Path) -> None:
    study = rb.Study({**GRID, "scene": str(bounce)})
    assert study.runs == 24 and study.parameters == {"restitution": "", "radius": "m"}
    rows = rb.sweep(study, tmp_path / "rows", threads=2)
    assert len(rows) == 24 and set(rows["status"]) == {"finished"}
    for run in (0, 7, 23):
        result = rb.Scene(bounce).with_settings(study.settings(run)).run()
        for output in study.outputs:
            assert rows[output][run] == result.output(output)
        assert np.array_equal(study.values()[run], [rows["restitution"][run], rows["radius"][run]])
    keys = "scene = 'bounce.toml'\noutputs = ['ball.z_m', 'max ball.vz_m_per_s', 'energy.damped_J']\n"
    keys += "[parameters]\nrestitution = { from = 0.2, to = 0.9, count = 8 }\n"
    keys += "radius = { values = ['10 mm', '12 mm', 0.015] }\n"
    (bounce.parent / "study.toml").write_text(keys)
    subprocess.run(
        [command, "sweep", str(bounce.parent / "study.toml"), "-o", str(tmp_path / "own"), "--quiet"], check=True
    )
    tables = [(tmp_path / folder / "rows.parquet").read_bytes() for folder in ("rows", "own")]
    assert tables[0] == tables[1]
    assert same(rb.sweep(bounce.parent / "study.toml", tmp_path / "own"), rows)
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    assert pandas.read_parquet(tmp_path / "own" / "rows.parquet").equals(rows.pandas())


def test_sobol_points_are_those_of_scipy(bounce: Path) -> None:
    qmc = pytest.importorskip("scipy.stats.qmc")
    ranges = {name: {"from": 0.0, "to": 1.0} for name in ("restitution", "radius", "stiffness")}
    study = rb.Study({"scene": str(bounce), "outputs": ["ball.z_m"], "design": "sobol", "samples": 64, "parameters": ranges})
    assert np.array_equal(study.values(), qmc.Sobol(3, scramble=False).random(64))


def test_a_study_that_is_wrong_says_where(bounce: Path) -> None:
    text = f"scene = '{bounce}'\noutputs = ['ball.z_m']\n[parameters.restitution]\nvalues = ['3 kg']\n"
    with pytest.raises(rb.SceneError) as raised:
        rb.Study(text)
    assert (raised.value.line, raised.value.column) == (4, 10) and raised.value.field == "parameters.restitution.values"


def test_more_threads_than_there_can_be_are_refused_or_left_out(bounce: Path) -> None:
    with pytest.raises(rb.ArgumentError, match="at most 1024"):
        rb.set_threads(2**40)
    study = rb.Study({**GRID, "scene": str(bounce), "duration": "0.1 s"})
    assert same(study.sweep(threads=2**40), study.sweep(threads=1))


def test_two_sweeps_at_once_have_their_rows(bounce: Path, tmp_path: Path) -> None:
    """Each waits in its first callback for the other one's, which one after the other never could."""
    study, both = rb.Study({**GRID, "scene": str(bounce)}), threading.Barrier(2, timeout=120)
    done: list[rb.Sweep] = []

    def sweep(k: int) -> None:
        met: list[int] = []

        def meet(done: float, whole: float) -> None:
            if not met:
                met.append(both.wait())

        done.append(study.sweep(tmp_path / str(k), threads=1, progress=meet))

    threads = [threading.Thread(target=sweep, args=(k,)) for k in range(2)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(done) == 2 and same(*done)


def test_a_folder_has_one_sweep_at_a_time(bounce: Path, tmp_path: Path) -> None:
    from rattleback import _rattleback as native

    study = rb.Study({**GRID, "scene": str(bounce)})
    held = native.SweepFolder(study._native, str(tmp_path / "rows"))
    with pytest.raises(rb.RecordError, match="another process"):
        study.sweep(tmp_path / "rows")
    held.close()
    assert len(study.sweep(tmp_path / "rows")) == 24


def test_ctrl_c_ends_a_sweep_and_the_rows_stay(bounce: Path, tmp_path: Path) -> None:
    study = rb.Study({**GRID, "scene": str(bounce), "duration": "1e4 s", "every": "1 s"})
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        study.sweep(tmp_path / "rows")
    timer.join()
    assert (tmp_path / "rows" / "rows.jsonl").read_text().count("\n") >= 1


def test_a_fit_finds_the_parameters_of_a_bounce(bounce: Path) -> None:
    pytest.importorskip("scipy")
    scene = rb.Scene(bounce)
    truth = scene.run().curve("ball.z_m")
    start = scene.with_settings({"restitution": 0.62})
    found = rb.fit(start, {"restitution": [0.3, 0.95]}, {"ball.z_m": truth})
    assert abs(found.parameters["restitution"] - 0.7) < 1e-6
    assert np.abs(found.residuals).max() < 1e-5


def test_a_client_that_was_killed_goes_on_with_the_rows_it_had(bounce: Path, tmp_path: Path) -> None:
    program = (
        "import sys, rattleback as rb\n"
        "rb.Study({'scene': sys.argv[1], 'outputs': ['ball.z_m'], 'duration': '0.2 s', 'parameters':"
        " {'restitution': {'from': 0.2, 'to': 0.9, 'count': 60}}}).sweep(sys.argv[2], threads=1)\n"
    )
    log = tmp_path / "rows" / "rows.jsonl"
    client = subprocess.Popen([sys.executable, "-c", program, str(bounce), str(tmp_path / "rows")])
    while not log.exists() or len(log.read_text().splitlines()) < 6:
        assert client.poll() is None, "it ended before it was killed"
        time.sleep(0.002)
    client.kill()
    client.wait()
    had = log.read_text().splitlines()
    assert len(had) < 61
    subprocess.run([sys.executable, "-c", program, str(bounce), str(tmp_path / "rows")], check=True)
    lines = log.read_text().splitlines()
    assert len(lines) == 61 and lines[: len(had) - 1] == had[:-1]
