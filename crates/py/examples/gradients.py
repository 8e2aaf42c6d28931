"""Gaps and runs as functions that SciPy, JAX and PyTorch differentiate, by derivatives of the engine.

    pip install ./crates/py scipy jax torch
    python crates/py/examples/gradients.py

A function here gives its values and their derivatives at once, so that a program that differentiates has only to multiply: it
never looks into the search or the run. Two of them:

- ``gap``: where the ring stands (m) → the gap (m), by the exact derivatives of the query; for rows of places, in parallel.
- ``landing``: how fast the ball is thrown (m/s) and its restitution → how far and how high it is after the bounce (m), by the
  derivatives of runs (``Scene.sensitivity``), with respect to the initial state and to a parameter of the law.
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

import rattleback as rb

EGG = rb.Shape("ellipsoid", semi_axes=[0.3, 0.2, 0.1])
RING = rb.Shape("torus", major_radius=0.3, minor_radius=0.05)
TURNED = rb.pose(axis=[1, 0, 0], angle=0.9)[3:]
PLACE = np.array([0.6, 0.3, 0.2])

THROW = rb.Scene(
    {
        "title": "A ball is thrown on the floor",
        "gravity": [0, 0, -9.81],
        "parameters": {"speed": "1 m/s", "restitution": 0.7},
        "materials": {"rubber": {"density": 1100.0}},
        "bodies": [
            {"name": "floor", "fixed": True, "material": "rubber", "shape": {"type": "plane", "normal": [0, 0, 1]}},
            {
                "name": "ball", "material": "rubber", "shape": {"type": "sphere", "radius": 0.02},
                "position": [0, 0, 0.1], "velocity": ["=speed", 0, "=-speed"],
            },
        ],
        "contacts": [{"stiffness": 1e6, "normal": {"law": "exact", "restitution": "=restitution"}}],
        "run": {"duration": 0.18},
    }
)  # fmt: skip
START = np.array([1.0, 0.7])

Asked = Callable[[Any], tuple[np.ndarray, np.ndarray]]
"""From inputs (…, n) to values (…, m) and derivatives (…, m, n)."""


def gap(places: Any) -> tuple[np.ndarray, np.ndarray]:
    """The gap with the ring at places, and how it changes with them."""
    places = np.asarray(places, dtype=float)
    rows = places.reshape(-1, 3)
    poses = np.concatenate([rows, np.broadcast_to(TURNED, (len(rows), 4))], axis=1)
    values, slopes = rb.touch(EGG, RING, None, poses).gap, rb.derivatives(EGG, RING, None, poses).gap[:, 6:9]
    return values.reshape(*places.shape[:-1], 1), slopes.reshape(*places.shape[:-1], 1, 3)


def landing(inputs: Any) -> tuple[np.ndarray, np.ndarray]:
    """Where the ball is at the end, and how that changes with its speed and its restitution."""
    inputs = np.asarray(inputs, dtype=float)
    found = []
    for speed, restitution in inputs.reshape(-1, 2).tolist():
        scene = THROW.with_settings({"speed": speed, "restitution": restitution})
        found.append(scene.sensitivity(["ball.x_m", "ball.z_m"], ["speed", "restitution"]))
    values, slopes = np.array([one.values for one in found]), np.array([one.derivatives for one in found])
    return values.reshape(*inputs.shape[:-1], 2), slopes.reshape(*inputs.shape[:-1], 2, 2)


def with_jax(asked: Asked, outputs: int) -> Callable[[Any], Any]:
    """A function for JAX, which can be traced, compiled and mapped: (…, n) → (…, outputs)."""
    import jax
    import jax.numpy as jnp

    # Before anything is traced: single precision would lose half of the digits.
    jax.config.update("jax_enable_x64", True)

    @jax.custom_vjp
    def function(x: Any) -> Any:
        return forward(x)[0]

    def forward(x: Any) -> Any:
        values = jax.ShapeDtypeStruct((*x.shape[:-1], outputs), jnp.float64)
        slopes = jax.ShapeDtypeStruct((*x.shape[:-1], outputs, x.shape[-1]), jnp.float64)
        return jax.pure_callback(asked, (values, slopes), x, vmap_method="broadcast_all")

    function.defvjp(forward, lambda slopes, incoming: (jnp.einsum("...m,...mn->...n", incoming, slopes),))
    return function


def with_torch(asked: Asked) -> Callable[[Any], Any]:
    """A function for PyTorch: (…, n) → (…, m)."""
    import torch

    class Function(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            values, slopes = (torch.from_numpy(np.ascontiguousarray(found)) for found in asked(x.detach().cpu().numpy()))
            ctx.save_for_backward(slopes)
            return values.to(x)

        @staticmethod
        def backward(ctx: Any, *incoming: Any) -> Any:
            (slopes,) = ctx.saved_tensors
            return torch.einsum("...m,...mn->...n", incoming[0], slopes.to(incoming[0]))

    return Function.apply


def nearest(asked: Asked, start: np.ndarray) -> Any:
    """Where the squares of the values are least, by SciPy and our derivatives."""
    from scipy.optimize import least_squares

    # A slower ball would bounce twice: where an impact comes or goes there is no derivative.
    bounds = ([0.5, 0.4], [2.0, 0.95])
    return least_squares(lambda x: asked(x)[0], start, jac=lambda x: asked(x)[1], bounds=bounds)


def main() -> None:
    for name, asked, at in (("gap", gap, PLACE), ("landing", landing, START)):
        values, slopes = asked(at)
        print(f"{name} at {at}: {values}, its derivatives {slopes.tolist()}")
        try:
            import jax

            print("  JAX:    ", jax.jacrev(jax.jit(with_jax(asked, len(values))))(at).tolist())
        except ImportError:
            print("  JAX is not there")
        try:
            import torch

            jacobian: Any = torch.autograd.functional.jacobian(with_torch(asked), torch.tensor(at))
            print("  PyTorch:", jacobian.tolist())
        except ImportError:
            print("  PyTorch is not there")
    wanted = landing([1.3, 0.5])[0]
    try:
        found = nearest(lambda x: (landing(x)[0] - wanted, landing(x)[1]), START)
        print(f"SciPy: what lands at {wanted} was thrown with {found.x}, after {found.nfev} evaluations")
    except ImportError:
        print("SciPy is not there")


if __name__ == "__main__":
    main()
