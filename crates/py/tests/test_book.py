"""The Python of the book runs, chapter by chapter, from the root of the repository."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
CHAPTERS = sorted((ROOT / "book" / "src").glob("*.md"))


def programs(chapter: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", chapter.read_text(encoding="utf-8"), re.S)


def test_the_book_has_python() -> None:
    assert any(len(programs(chapter)) >= 3 for chapter in CHAPTERS)


@pytest.mark.parametrize("chapter", [c for c in CHAPTERS if programs(c)], ids=lambda c: c.stem)
def test_the_python_of_a_chapter_runs(chapter: Path) -> None:
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    program = "\n".join(programs(chapter))
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
