"""The gap of two bodies as a function that JAX and PyTorch differentiate, by the exact derivatives of the query.

    pip install ./crates/py jax torch
    python crates/py/examples/gradients.py

Translations of B are the variable. Both programs ask for the gap and its derivative once and hand the product with the
incoming gradient back; neither differentiates through the search.
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

import rattleback as rb

EGG = rb.Shape("ellipsoid", semi_axes=[0.3, 0.2, 0.1])
RING = rb.Shape("torus", major_radius=0.3, minor_radius=0.05)
TURNED = rb.pose(axis=[1, 0, 0], angle=0.9)[3:]


def gap_and_gradient(place: np.ndarray) -> tuple[float, np.ndarray]:
    """The gap in m with B at a place, and how it grows with it."""
    pose = np.concatenate([np.asarray(place, dtype=float), TURNED])
    return rb.touch(EGG, RING, None, pose).gap, rb.derivatives(EGG, RING, None, pose).gap[6:9]


def with_jax() -> Callable[[Any], Any]:
    """The gap for JAX."""
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)

    @jax.custom_vjp
    def gap(place: Any) -> Any:
        return forward(place)[0]

    def forward(place: Any) -> Any:
        kinds = (jax.ShapeDtypeStruct((), jnp.float64), jax.ShapeDtypeStruct((3,), jnp.float64))

        def ask(x: Any) -> Any:
            value, gradient = gap_and_gradient(x)
            return np.float64(value), gradient

        return jax.pure_callback(ask, kinds, place)

    gap.defvjp(forward, lambda gradient, incoming: (incoming * gradient,))
    return gap


def with_torch() -> Callable[[Any], Any]:
    """The gap for PyTorch."""
    import torch

    class Gap(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, place: Any) -> Any:
            value, gradient = gap_and_gradient(place.detach().numpy())
            ctx.save_for_backward(torch.from_numpy(np.ascontiguousarray(gradient)))
            return torch.tensor(value, dtype=torch.float64)

        @staticmethod
        def backward(ctx: Any, *incoming: Any) -> Any:
            (gradient,) = ctx.saved_tensors
            return incoming[0] * gradient

    return Gap.apply


def main() -> None:
    place = np.array([0.6, 0.3, 0.2])
    value, gradient = gap_and_gradient(place)
    print(f"gap {value:.6f} m, its gradient {gradient}")
    try:
        import jax

        print("JAX:    ", jax.grad(lambda x: with_jax()(x) ** 2)(place) / (2 * value))
    except ImportError:
        print("JAX is not there")
    try:
        import torch

        x = torch.tensor(place, requires_grad=True)
        (with_torch()(x) ** 2).backward()
        print("PyTorch:", x.grad.numpy() / (2 * value))
    except ImportError:
        print("PyTorch is not there")


if __name__ == "__main__":
    main()
