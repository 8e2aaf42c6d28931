"""What several tests use: a scene, and the command of the same version where it is built."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path
from typing import Iterator

import pytest

ROOT = Path(__file__).resolve().parents[3]

BOUNCE = (ROOT / "crates/py/examples/bounce.toml").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def listens_to_ctrl_c() -> Iterator[None]:
    """What a shell starts in the background ignores Ctrl-C until it says otherwise."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def bounce(tmp_path: Path) -> Path:
    """The file of a ball that bounces."""
    path = tmp_path / "bounce.toml"
    path.write_text(BOUNCE)
    return path


@pytest.fixture(scope="session")
def command() -> str:
    """The command rattleback, of this build: RATTLEBACK names it, or it is where cargo puts it."""
    named = os.environ.get("RATTLEBACK")
    built = [ROOT / "target" / profile / "rattleback" for profile in ("debug", "release")]
    found = named or next((str(path) for path in built if path.exists()), None) or shutil.which("rattleback")
    if not found:
        pytest.skip("the command rattleback is not built: cargo build --profile test -p rattleback-cli")
    return found
