"""What applications tell: texts and tables."""

from __future__ import annotations

from html import escape
from typing import Any


class Document:
    """What is told: texts and tables."""

    __slots__ = ("parts", "text", "title")

    def __init__(self, told: dict[str, Any], text: str) -> None:
        self.title: str = told["title"]
        self.parts: list[dict[str, Any]] = told["parts"]
        """Each a ``text``, or a table with ``heading``, ``columns`` and ``rows``."""
        self.text = text

    @property
    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """The tables by their headings, each a list of rows."""
        return {
            part["heading"]: [dict(zip(part["columns"], row)) for row in part["rows"]]
            for part in self.parts
            if "heading" in part
        }

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Document {self.title!r}: {len(self.parts)} parts>"

    def _repr_html_(self) -> str:
        told = [f"<h3>{escape(self.title)}</h3>"]
        for part in self.parts:
            if "text" in part:
                told.append(f"<p>{escape(part['text'])}</p>")
                continue
            head = "".join(f"<th>{escape(str(name))}</th>" for name in part["columns"])
            rows = ("".join(f"<td>{escape(str(cell))}</td>" for cell in row) for row in part["rows"])
            body = "".join(f"<tr>{row}</tr>" for row in rows)
            told.append(f"<table><caption>{escape(part['heading'])}</caption><tr>{head}</tr>{body}</table>")
        return "".join(told)
