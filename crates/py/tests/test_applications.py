"""Gait and anchors: what the command tells, to the bit."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rattleback as rb


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The markers of a trial of the engine's own."""
    return rb.gait.example(tmp_path_factory.mktemp("trial") / "walk")[0]


def told(command: str, *arguments: str) -> Any:
    done = subprocess.run([command, *arguments, "--json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_trial_is_checked_as_the_command_does(command: str, walk: str) -> None:
    assert rb.gait.check(walk, mass=71.38) == told(command, "gait", "check", walk, "--mass", "71.38")


def test_a_foot_is_fitted_and_forces_are_predicted_as_the_command_does(command: str, walk: str, tmp_path: Path) -> None:
    fitted = rb.gait.fit(walk, tmp_path / "fit", mass=71.38, foot="left")
    own = told(command, "gait", "fit", walk, "--mass", "71.38", "--foot", "left", "-o", str(tmp_path / "own"))
    assert {"title": fitted.document.title, "parts": fitted.document.parts} == own
    for file in ("foot.json", "foot.toml", "index.html"):
        assert (tmp_path / "fit" / file).read_bytes() == (tmp_path / "own" / file).read_bytes(), file
    assert fitted.foot == json.loads((tmp_path / "own" / "foot.json").read_text())
    assert repr(fitted.document) == f"<Document {own['title']!r}: {len(own['parts'])} parts>"
    assert list(fitted.document.tables) == [part["heading"] for part in own["parts"] if "heading" in part]
    assert rb.Scene(tmp_path / "own" / "foot.toml").bodies == fitted.scene.bodies
    model = str(tmp_path / "fit" / "foot.json")
    predicted = rb.gait.predict(walk, tmp_path / "forces", foot_model=model)
    own = told(command, "gait", "predict", walk, "--foot-model", model, "-o", str(tmp_path / "own forces"))
    assert {"title": predicted.document.title, "parts": predicted.document.parts} == own
    file = "forces-feet-only.mot"
    assert (tmp_path / "forces" / file).read_bytes() == (tmp_path / "own forces" / file).read_bytes()
    columns = predicted.forces["feet only"]
    times = columns["time"]
    assert times.size > 50 and all(column.shape == times.shape for column in columns.values())
    assert max(np.nanmax(np.abs(column)) for name, column in columns.items() if "_v" in name) > 500


def test_a_trial_that_is_damaged_says_where(tmp_path: Path) -> None:
    head = "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n60\t60\t3\t1\tmm\n"
    rows = "1\t0\t1\ttwo\t3\n2\t0.017\t1\t2\t3\n3\t0.033\t1\t2\t3\n"
    (tmp_path / "a.trc").write_text(f"{head}Frame#\tTime\tHeel\n\t\tX1\tY1\tZ1\n\n{rows}")
    with pytest.raises(rb.TrialError) as raised:
        rb.gait.check(tmp_path / "a.trc")
    assert (raised.value.line, raised.value.column) == (7, 7)
    for wrong in ({"table": "x"}, {"mass": "heavy"}):
        with pytest.raises(rb.ArgumentError):
            rb.gait.check(tmp_path / "a.trc", **wrong)
    with pytest.raises(rb.TrialError):
        rb.gait.fit(tmp_path / "none.trc")


def test_manoeuvres_are_followed_as_the_command_does(command: str, tmp_path: Path) -> None:
    lines: list[str] = []
    own = rb.anchor.study(cases=1, duration=0.3, seaway=0, tell=lines.append)
    theirs = told(command, "study", "anchor", "--cases", "1", "--duration", "0.3s", "--seaway", "0s")

    def without_wall(parts: list[dict[str, object]]) -> list[dict[str, object]]:
        """Tables but for what says how long it was computed."""
        return [
            {"columns": part.get("columns"), "rows": [[c for n, c in zip(part["columns"], row) if "wall" not in n and "comput" not in n] for row in part["rows"]]}
            for part in parts
            if "heading" in part
        ]  # fmt: skip

    assert without_wall(own.parts) == without_wall(theirs["parts"])
    assert len(lines) == 1 and "of computing" in lines[0]


def test_a_built_in_manoeuvre_is_a_scene_with_an_outcome() -> None:
    scene = rb.anchor.scene("stow")
    result = scene.run(duration=0.05)
    # It has hardly begun: nothing of the anchor touches, and the shackle is a length of chain away.
    assert scene.bodies[:3] == ["hull", "shank", "head"] and all(name.startswith("chain ") for name in scene.bodies[3:])
    outcome = result.outcome
    assert (outcome["outcome"], outcome["bears"], outcome["deepest_m"], outcome["time_s"]) == ("hanging", [], 0.0, 0.05)
    assert outcome["entered_m"] < 0 < outcome["pull_end_N"] <= outcome["pull_most_N"]
    with pytest.raises(rb.ArgumentError, match="stow"):
        rb.anchor.scene("sail")
    with pytest.raises(rb.ArgumentError):
        rb.anchor.study(["stow"])


def test_ctrl_c_ends_a_study_of_manoeuvres() -> None:
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        rb.anchor.study(duration=1e4)
    timer.join()
