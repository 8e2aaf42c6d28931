"""Models from code: a scene put together piece by piece, with the words of scene files."""

from __future__ import annotations

import copy
import json
import os
from typing import Any, Mapping, Sequence

from ._array import argument
from ._progress import Progress
from ._result import Result
from ._run import Run
from ._scene import Scene, Sensitivity
from ._shape import Shape, json_text

_LISTS = ("bodies", "chains", "joints", "forces", "repeat", "contacts")


class Model:
    """A scene that is put together in code. The words are those of scene files, and so is what checks them: values are
    numbers in SI units, texts with a unit, or expressions of parameters after ``=``.

    >>> model = Model("A bouncing ball", gravity=[0, 0, -9.81])
    >>> height = model.parameter("height", "6 cm")
    >>> model.material("steel", young="210 GPa", poisson=0.3, density=7800)
    'steel'
    >>> model.body("floor", Shape("plane", normal=[0, 0, 1]), fixed=True, material="steel")
    'floor'
    >>> model.body("ball", Shape("sphere", radius=0.01), material="steel", position=[0, 0, height])
    'ball'
    >>> model.contact(normal={"law": "exact", "restitution": 0.7})
    >>> model.run(0.3).healthy
    True
    """

    __slots__ = ("description",)

    def __init__(self, title: str, *, gravity: Sequence[Any] = (0.0, 0.0, 0.0), **keys: Any) -> None:
        """Other ``keys`` are those at the top of scene files: ``description``, ``source``, ``include``, ``proximity``."""
        self.description: dict[str, Any] = {"title": title, "gravity": gravity, **keys}

    def parameter(self, name: str, value: Any) -> str:
        """Adds a parameter; gives the expression that stands for it, ``"=name"``."""
        self._table("parameters")[_name(name)] = value
        return f"={name}"

    def material(self, name: str, **keys: Any) -> str:
        """Adds a material: ``young`` in Pa, ``poisson``, ``density`` in kg/m³. Gives its name."""
        self._table("materials")[_name(name)] = keys
        return name

    def shape(self, name: str, shape: Shape | Mapping[str, Any]) -> str:
        """Adds a shape that several bodies share. Gives its name."""
        self._table("shapes")[_name(name)] = shape
        return name

    def body(self, name: str, shape: Any = None, **keys: Any) -> str:
        """Adds a body, with a shape or the name of one, or with ``parts``. Gives its name.

        Keys are ``position`` in m, ``orientation``, ``velocity`` in m/s, ``angular_velocity`` in rad/s, ``fixed`` or
        ``motion``, ``material``, ``mass`` in kg, ``inertia``, ``mass_centre``, ``density``, ``copies``, ``colour``,
        ``hidden``.
        """
        entry: dict[str, Any] = {"name": _name(name)}
        if shape is not None:
            entry["shape"] = shape
        self._add("bodies", {**entry, **keys})
        return name

    def joint(self, type: str, bodies: Sequence[str], name: str | None = None, **keys: Any) -> str:
        """Adds a joint of two bodies, at ``point`` about ``axis`` in the world or by frames ``a`` and ``b`` on them, with
        ``motor``, ``spring``, ``damper``, ``friction``, ``bearing``, ``limits``, ``effort``. Gives its name."""
        own = name or f"{type} {len(self.description.get('joints', ())) + 1}"
        self._add("joints", {"name": _name(own), "type": type, "bodies": list(bodies), **keys})
        return own

    def force(self, type: str, **keys: Any) -> None:
        """Adds a force: constant, table, expression, spring, rope, torsion_spring, winch or windlass, and its keys."""
        self._add("forces", {"type": type, **keys})

    def chain(self, name: str, **keys: Any) -> str:
        """Adds a chain: ``diameter`` in m, ``path``, ``links`` or ``count``, ``from`` and ``to`` (given as
        ``**{"from": …}``). Gives its name."""
        self._add("chains", {"name": _name(name), **keys})
        return name

    def contact(self, **keys: Any) -> None:
        """Adds a contact law, of two ``materials``, of two ``bodies``, or of all pairs: ``stiffness``, ``normal``,
        ``friction``, ``resistance``, ``application``, ``least_speed`` in m/s."""
        self._add("contacts", keys)

    def exclude_contacts(self, a: str, b: str) -> None:
        """Keeps two bodies from touching."""
        self._list("exclude_contacts").append([a, b])

    def repeat(self, index: str, count: Any, **keys: Any) -> None:
        """Adds ``bodies``, ``joints``, ``forces``, ``contacts`` and so on for every value of an index."""
        self._add("repeat", {"index": index, "count": count, **keys})

    def solver(self, type: str, **keys: Any) -> None:
        """Names the solver: explicit, stiff, many, rolling or mechanism, with its accuracy or step."""
        self.description["solver"] = {"type": type, **keys}

    def output(self, **keys: Any) -> None:
        """Says what is recorded and shown: ``every`` in s, ``plots``, ``pictures``, ``camera``."""
        self.description["output"] = {**self.description.get("output", {}), **keys}

    def scene(
        self, duration: Any = None, settings: Mapping[str, Any] | None = None
    ) -> Scene:
        """The scene, checked, with a duration in s; what is wrong is a ``SceneError`` with the fields of all mistakes."""
        description = copy.copy(self.description)
        if duration is not None:
            description["run"] = {**description.get("run", {}), "duration": duration}
        return Scene(description, settings)

    def run(
        self,
        duration: Any,
        folder: str | os.PathLike[str] | None = None,
        *,
        settings: Mapping[str, Any] | None = None,
        progress: Progress = None,
    ) -> Result:
        """Runs it for so long, in s; as ``Scene.run``."""
        return self.scene(duration, settings).run(folder, progress=progress)

    def start(self, duration: Any, settings: Mapping[str, Any] | None = None) -> Run:
        """A run that goes on as far as it is asked to; as ``Scene.start``."""
        return self.scene(duration, settings).start()

    def sensitivity(self, duration: Any, outputs: Sequence[str], of: Sequence[str] = ()) -> Sensitivity:
        """Outputs of a run and their derivatives by parameters; as ``Scene.sensitivity``."""
        return self.scene(duration).sensitivity(outputs, of)

    def json(self) -> str:
        """Its description as a scene file in JSON, but for ``run`` unless it was set."""
        return json.dumps(json.loads(json_text(self.description, "model")), indent=2)

    def _table(self, key: str) -> dict[str, Any]:
        table: dict[str, Any] = self.description.setdefault(key, {})
        return table

    def _list(self, key: str) -> list[Any]:
        found: list[Any] = self.description.setdefault(key, [])
        return found

    def _add(self, key: str, entry: dict[str, Any]) -> None:
        self._list(key).append(entry)

    def __repr__(self) -> str:
        counts = ((key, len(self.description.get(key, ()))) for key in _LISTS)
        told = ", ".join(f"{count} in {key}" for key, count in counts if count)
        return f"<Model {self.description['title']!r}: {told or 'nothing yet'}>"

    def _repr_html_(self) -> str | None:
        """The start of the scene, drawn, where it can begin."""
        try:
            return self.scene(self.description.get("run", {}).get("duration", 1.0))._repr_html_()
        except ValueError:
            return None


def _name(name: Any) -> str:
    if not isinstance(name, str) or not name:
        raise argument("name", repr(name), "a text")
    return name
