"""Memory over many runs: resident set after every tenth of them.

    python crates/py/examples/memory.py [RUNS]

Every run parses a scene, moves it for a millisecond, reads a table and asks a query; every other one is refused. Linux, whose
/proc says what a process holds.
"""

from __future__ import annotations

import gc
import resource
import sys
from pathlib import Path

import numpy as np

import rattleback as rb

TEXT = Path(__file__).with_name("bounce.toml").read_text(encoding="utf-8")


def held() -> float:
    """Memory of this process in MiB."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / (1 << 20)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    text = TEXT.replace('"0.3 s"', '"1 ms"').replace('"5 ms"', '"1 ms"')
    egg, rows = rb.Shape("ellipsoid", semi_axes=[0.3, 0.2, 0.1]), np.tile([0.7, 0, 0, 1, 0, 0, 0], (10, 1))
    seen = []
    for k in range(count):
        rb.Scene(text).run().sheet("states")
        rb.contact(egg, egg, None, rows)
        if k % 2:
            try:
                rb.Scene("bodies = 3")
            except rb.SceneError:
                pass
        if (k + 1) % (count // 10) == 0:
            gc.collect()
            seen.append(held())
            print(f"{k + 1:8} runs: {seen[-1]:.1f} MiB", flush=True)
    print(f"from the first tenth to the last: {seen[-1] - seen[0]:+.2f} MiB")


if __name__ == "__main__":
    main()
