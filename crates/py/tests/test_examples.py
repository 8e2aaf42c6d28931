"""The examples of the README and of the package run; the stubs are what the module has."""

from __future__ import annotations

import doctest
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
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


@pytest.fixture
def gradients() -> Any:
    """The example of that name."""
    sys.path.insert(0, str(PACKAGE / "examples"))
    import gradients

    return gradients


def test_the_derivatives_of_the_example_are_those_of_differences(gradients: Any) -> None:
    for asked, at, step in ((gradients.gap, gradients.PLACE, 1e-6), (gradients.landing, gradients.START, 1e-4)):
        _, slopes = asked(at)
        for k in range(len(at)):
            moved = np.eye(len(at))[k] * step
            difference = (asked(at + moved)[0] - asked(at - moved)[0]) / (2 * step)
            assert np.allclose(difference, slopes[:, k], rtol=1e-5, atol=1e-7)
    pytest.importorskip("scipy")
    wanted = gradients.landing([1.3, 0.5])[0]
    found = gradients.nearest(lambda x: (gradients.landing(x)[0] - wanted, gradients.landing(x)[1]), gradients.START)
    assert np.allclose(found.x, [1.3, 0.5], atol=1e-6) and found.nfev < 12


def test_jax_differentiates_gaps_and_runs(gradients: Any) -> None:
    jax = pytest.importorskip("jax")
    for asked, at in ((gradients.gap, gradients.PLACE), (gradients.landing, gradients.START)):
        values, slopes = asked(at)
        function = gradients.with_jax(asked, len(values))
        assert np.array_equal(jax.jacrev(function)(at), slopes)
        assert np.array_equal(jax.jacrev(jax.jit(function))(at), slopes)
        assert np.allclose(jax.grad(lambda x: (function(x) ** 2).sum())(at), 2 * values @ slopes, rtol=1e-15)
    function = gradients.with_jax(gradients.gap, 1)
    rows = gradients.PLACE + np.linspace(0, 0.1, 5)[:, np.newaxis]
    assert np.array_equal(jax.vmap(jax.jacrev(function))(rows), gradients.gap(rows)[1])
    from jax.test_util import check_grads

    check_grads(function, (rows,), order=1, modes=["rev"], atol=1e-6, rtol=1e-6)


def test_torch_differentiates_gaps_and_runs(gradients: Any) -> None:
    torch = pytest.importorskip("torch")
    for asked, at in ((gradients.gap, gradients.PLACE), (gradients.landing, gradients.START)):
        function = gradients.with_torch(asked)
        assert np.array_equal(torch.autograd.functional.jacobian(function, torch.tensor(at)).numpy(), asked(at)[1])
    function = gradients.with_torch(gradients.gap)
    rows = torch.tensor(gradients.PLACE + np.linspace(0, 0.1, 5)[:, np.newaxis], requires_grad=True)
    assert torch.autograd.gradcheck(function, (rows,), eps=1e-6, atol=1e-6)


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
