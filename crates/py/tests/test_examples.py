"""The examples of the README and of the package run; the stubs are what the module has."""

from __future__ import annotations

import doctest
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rattleback
from rattleback import _law, _model, _shape

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = Path(__file__).resolve().parents[1]


def test_the_example_of_the_readme_runs() -> None:
    for package in ("pandas", "matplotlib", "xarray"):
        pytest.importorskip(package)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    programs = re.findall(r"```python\n(.*?)```", text, re.S)
    assert programs
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(programs)], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_the_study_of_the_readme_is_the_one_of_the_examples() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    path = PACKAGE / "examples" / "study.toml"
    assert f"```toml\n{path.read_text(encoding='utf-8')}```" in text
    assert len(rattleback.sweep(path)) == 18


def test_a_bounce_gives_its_stiffness_and_restitution_away() -> None:
    pytest.importorskip("scipy")
    sys.path.insert(0, str(PACKAGE / "examples"))
    import identify

    found = identify.main()
    for name, truth in identify.TRUTH.items():
        assert abs(found.parameters[name] - truth) < 5 * found.deviations[name] < 0.05 * truth, name


def test_the_gradients_of_jax_and_torch_are_those_of_the_query() -> None:
    sys.path.insert(0, str(PACKAGE / "examples"))
    import gradients
    import numpy as np

    place = np.array([0.6, 0.3, 0.2])
    value, exact = gradients.gap_and_gradient(place)
    for k in range(3):
        step = np.eye(3)[k] * 1e-6
        difference = gradients.gap_and_gradient(place + step)[0] - gradients.gap_and_gradient(place - step)[0]
        assert abs(difference / 2e-6 - exact[k]) < 1e-8
    tried = 0
    try:
        import torch

        x = torch.tensor(place, requires_grad=True)
        gradients.with_torch()(x).backward()
        assert np.array_equal(x.grad.numpy(), exact)
        tried += 1
    except ImportError:
        pass
    try:
        import jax

        assert np.array_equal(jax.grad(gradients.with_jax())(place), exact)
        tried += 1
    except ImportError:
        pass
    if not tried:
        pytest.skip("neither JAX nor PyTorch is there")


def test_what_the_documentation_shows_is_so() -> None:
    for module in (rattleback, _law, _model, _shape):
        found = doctest.testmod(module)
        assert found.attempted > 0 and found.failed == 0


def test_everything_public_says_what_it_is() -> None:
    for name in rattleback.__all__:
        if name not in ("__version__", "STATE_COLUMNS"):
            assert getattr(rattleback, name).__doc__, name


def test_types_are_strict() -> None:
    pytest.importorskip("mypy")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file", "pyproject.toml", "python/rattleback"], cwd=PACKAGE,
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_pyright_finds_nothing() -> None:
    pytest.importorskip("pyright")
    environment = {**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable],
        cwd=PACKAGE, capture_output=True, text=True, env=environment,
    )  # fmt: skip
    if not done.stdout.strip().startswith("{"):
        pytest.skip(f"pyright cannot be had: {done.stderr.strip().splitlines()[-1:]}")
    told = json.loads(done.stdout)
    found = [one for one in told["generalDiagnostics"] if one["severity"] == "error"]
    assert not found and told["summary"]["filesAnalyzed"] > 10, found[:5]


def test_the_stub_of_the_module_has_its_names() -> None:
    from rattleback import _rattleback as native

    stub = (PACKAGE / "python" / "rattleback" / "_rattleback.pyi").read_text()
    for name in dir(native):
        if not name.startswith("_"):
            assert re.search(rf"^(class|def) {name}\b", stub, re.M), name
            for member in dir(getattr(native, name)):
                if not member.startswith("_") and isinstance(getattr(native, name), type):
                    assert re.search(rf"def {member}\b", stub), f"{name}.{member}"
