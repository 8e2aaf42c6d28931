"""Exceptions: each says what was found and what was expected, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Sequence


@dataclass(frozen=True)
class Complaint:
    """A mistake in a scene, a shape or a study."""

    field: str
    """The key, as ``bodies[1].shape.radius``; empty where there is none."""
    message: str
    """What was found and what was expected."""
    expected: str | None
    """What was expected, where the message says so."""
    help: str | None
    """What may help."""
    file: str
    """The file."""
    line: int | None
    """The line, from one; None in JSON and in dictionaries."""
    column: int | None
    """The column, from one."""


class RattlebackError(Exception):
    """Whatever the package refuses.

    ``field``, ``value`` and ``expected`` are None where they are not known.
    """

    def __init__(
        self,
        message: str,
        *,
        field: str | None = None,
        value: Any = None,
        expected: str | None = None,
    ) -> None:
        super().__init__(message)
        self.field = field
        self.value = value
        self.expected = expected


class ArgumentError(RattlebackError, ValueError):
    """An argument that is not what it must be."""


class SceneError(RattlebackError, ValueError):
    """A scene, a shape or a study that is refused, with all that is wrong with it in ``complaints``.

    ``field``, ``line``, ``column`` and ``expected`` are those of the first complaint.
    """

    def __init__(self, message: str, *, complaints: Sequence[Mapping[str, Any]] = ()) -> None:
        told = tuple(Complaint(**complaint) for complaint in complaints)
        first = told[0] if told else None
        super().__init__(
            message,
            field=first.field if first else None,
            expected=first.expected if first else None,
        )
        self.complaints = told
        self.line = first.line if first else None
        self.column = first.column if first else None


class QueryError(RattlebackError, ValueError):
    """A query without an answer; ``index`` is the pair."""

    def __init__(self, message: str, *, index: int | None = None, **fields: Any) -> None:
        super().__init__(message, **fields)
        self.index = index


class MotionError(RattlebackError):
    """A motion that could not be computed to the end; ``reached`` is how far it came, in s."""

    def __init__(self, message: str, *, reached: float | None = None, **fields: Any) -> None:
        super().__init__(message, **fields)
        self.reached = reached


class TrialError(RattlebackError, ValueError):
    """A walking trial that cannot be read, or that does not hold what was asked of it; what is wrong with a damaged file is
    in ``complaints``."""

    def __init__(self, message: str, *, complaints: Sequence[Mapping[str, Any]] = (), **fields: Any) -> None:
        super().__init__(message, **fields)
        self.complaints = tuple(Complaint(**complaint) for complaint in complaints)
        self.line = self.complaints[0].line if self.complaints else None
        self.column = self.complaints[0].column if self.complaints else None


class RecordError(RattlebackError, OSError):
    """Results that could not be written or read, or a curve that they do not have."""


class SweepError(RattlebackError):
    """A sweep that cannot go on."""
