"""Models from code: the scene that a file would have said."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import numpy as np
import pytest
from conftest import BOUNCE

import rattleback as rb


def bounce() -> rb.Model:
    """The bouncing ball of the examples, in code."""
    model = rb.Model("A bouncing ball", gravity=[0, 0, -9.81])
    restitution = model.parameter("restitution", 0.7)
    radius = model.parameter("radius", "10 mm")
    stiffness = model.parameter("stiffness", "2e7 N/m^1.5")
    steel = model.material("steel", density="7800 kg/m^3")
    model.body("floor", rb.Shape("plane", normal=[0, 0, 1]), fixed=True, material=steel)
    ball = {"type": "sphere", "radius": radius}
    model.body("ball", ball, position=np.array([0, 0, 0.06]), material=steel)
    model.contact(stiffness=stiffness, normal={"law": "exact", "restitution": restitution})
    model.output(every="5 ms")
    return model


def test_a_model_from_code_moves_as_the_file_does() -> None:
    own, file = bounce().run("0.3 s"), rb.Scene(BOUNCE).run()
    for sheet in file.sheets:
        for name, column in file.sheet(sheet).items():
            same = np.array_equal(own.sheet(sheet)[name], column, equal_nan=column.dtype.kind == "f")
            assert same, f"{sheet}.{name}"
    changed = bounce().run(0.3, settings={"restitution": 0.2})
    assert changed.output("max ball.vz_m_per_s") < own.output("max ball.vz_m_per_s")


def test_what_is_written_out_is_read_again(tmp_path: Path) -> None:
    model = bounce()
    described = json.loads(model.json())
    (tmp_path / "scene.json").write_text(json.dumps({**described, "run": {"duration": 0.1}}))
    assert rb.Scene(tmp_path / "scene.json").bodies == ["floor", "ball"]
    assert repr(model) == "<Model 'A bouncing ball': 2 in bodies, 1 in contacts>"


def test_joints_forces_chains_and_solvers_have_the_words_of_scenes() -> None:
    model = rb.Model("A pendulum on a spring", gravity=[0, 0, -9.81])
    model.body("wall", fixed=True)
    rod = model.body("rod", mass=1.0, inertia=[0.1, 0.1, 0.1], position=[0.5, 0, 0])
    hinge = model.joint("revolute", ["wall", rod], point=[0, 0, 0], axis=[0, 1, 0])
    model.force("spring", bodies=["wall", rod], points=[[0.5, 0, 1], [0, 0, 0]], stiffness="20 N/m", length="0.5 m")
    model.solver("mechanism")
    scene = model.scene(0.2)
    assert scene.joints == [hinge] and scene.bodies == ["wall", "rod"]
    result = scene.run()
    assert result.healthy
    x, z = (result.curve(f"rod.{name}")[1] for name in ("x_m", "z_m"))
    assert np.allclose(np.hypot(x, z), 0.5, atol=1e-9)


def test_a_model_that_is_wrong_says_all_fields() -> None:
    model = bounce()
    model.body("ball 2", rb.Shape("sphere", radius=0.01), position=[0, 0, "3 kg"], mass="3 m")
    with pytest.raises(rb.SceneError) as raised:
        model.scene(1.0)
    fields = {complaint.field for complaint in raised.value.complaints}
    assert any(field.startswith("bodies[2].position") for field in fields) and "bodies[2].mass" in fields
    with pytest.raises(rb.ArgumentError):
        model.body("", None)
    with pytest.raises(rb.SceneError):
        bounce().scene()


def test_models_scenes_and_results_show_themselves_in_notebooks(tmp_path: Path) -> None:
    model = bounce()
    [drawn] = re.findall(r'src="data:image/png;base64,([^"]+)"', str(model._repr_html_()))
    assert base64.b64decode(drawn, validate=True).startswith(b"\x89PNG")
    scene = model.scene(0.05)
    assert scene.picture((64, 48)).startswith(b"\x89PNG")
    memory, folder = scene.run(), scene.run(tmp_path / "run")
    for result in (memory, folder):
        shown = result._repr_html_()
        assert "<iframe srcdoc=" in shown and "</iframe>" in shown
    assert memory.export(tmp_path / "memory.html") == str(tmp_path / "memory.html")
    assert "<html" in folder.page() and "http://" not in folder.page().split("<script", 1)[0]
    with pytest.raises(rb.RecordError, match="not overwritten"):
        memory.export(tmp_path / "memory.html")
    with pytest.raises(rb.RecordError, match="ending"):
        folder.export(tmp_path / "film.avi")


def test_grids_are_datasets_of_xarray(tmp_path: Path) -> None:
    pytest.importorskip("xarray")
    result = bounce().run(0.1)
    states = result.xarray()
    assert dict(states.sizes) == {"time_s": result.manifest["outputs"], "body": 2}
    assert np.array_equal(states["z_m"].sel(body="ball"), result.curve("ball.z_m")[1])
    assert states["z_m"].attrs["units"] == "m" and states.attrs["title"] == "A bouncing ball"
    assert list(result.xarray("energies").sizes) == ["time_s"]
    with pytest.raises(rb.ArgumentError):
        result.xarray("events")
    (tmp_path / "bounce.toml").write_text(BOUNCE)
    rows = rb.sweep({
        "scene": str(tmp_path / "bounce.toml"),
        "outputs": ["max ball.vz_m_per_s"],
        "duration": 0.2,
        "parameters": {"restitution": {"values": [0.9, 0.5]}, "radius": {"values": ["10 mm", "12 mm", "14 mm"]}},
    })  # fmt: skip
    grid = rows.xarray()
    assert dict(grid.sizes) == {"restitution": 2, "radius": 3}
    for k in range(len(rows)):
        at = grid["max ball.vz_m_per_s"].sel(restitution=rows["restitution"][k], radius=rows["radius"][k])
        assert float(at) == rows["max ball.vz_m_per_s"][k]
