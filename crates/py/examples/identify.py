"""Stiffness and restitution from a recorded bounce.

    pip install './crates/py[fit]'
    python crates/py/examples/identify.py

A ball falls on a floor; its height and the force of the floor are recorded with noise. The height after the bounce says
the restitution, how long and how hard the ball presses says the stiffness.
"""

from __future__ import annotations

import numpy as np

import rattleback as rb

SCENE = """
title = "A ball on a soft floor"
gravity = [0, 0, -9.81]

[parameters]
restitution = 0.6
stiffness = "1e5 N/m^1.5"

[materials.rubber]
density = "1100 kg/m^3"

[[bodies]]
name = "floor"
fixed = true
shape = { type = "plane", normal = [0, 0, 1] }
material = "rubber"

[[bodies]]
name = "ball"
mass = "50 g"
position = [0, 0, "12 cm"]
shape = { type = "sphere", radius = "2 cm" }
material = "rubber"

[[contacts]]
stiffness = "=stiffness"
normal = { law = "exact", restitution = "=restitution" }

[run]
duration = "0.3 s"

[output]
every = "0.5 ms"
"""

TRUTH = {"restitution": 0.75, "stiffness": 2.5e5}


def measured(seed: int = 1) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """What a camera and a force plate would have recorded of the truth."""
    scene, random = rb.Scene(SCENE), np.random.default_rng(seed)
    unit = scene.parameters["stiffness"].split(" ", 1)[1]
    record = scene.with_settings({"restitution": 0.75, "stiffness": f"{TRUTH['stiffness']} {unit}"}).run()
    curves = {}
    for name, noise in (("ball.z_m", 1e-4), ("floor|ball.normal_force_N", 0.2)):
        times, values = record.curve(name)
        curves[name] = (times, values + random.normal(scale=noise, size=values.size))
    return curves


def main() -> rb.Fit:
    found = rb.fit(rb.Scene(SCENE), {"restitution": [0.1, 0.99], "stiffness": [1e4, 1e7]}, measured())
    for name, value in found.parameters.items():
        print(f"{name}: {value:.6g} ± {found.deviations[name]:.2g}, the truth is {TRUTH[name]:.6g}")
    return found


if __name__ == "__main__":
    main()
