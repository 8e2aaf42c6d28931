"""Smooth-surface contact in multibody dynamics.

Where curved bodies touch, exactly and with a certificate; scenes of them, run and recorded; studies of many runs. All
quantities are in SI units, normals point from A to B, a negative gap is an overlap, quaternions are w, x, y, z.

>>> import rattleback as rb
>>> egg = rb.Shape("ellipsoid", semi_axes=[0.3, 0.2, 0.1])
>>> ring = rb.Shape("torus", major_radius=0.3, minor_radius=0.05)
>>> found = rb.contact(egg, ring, pose_b=rb.pose([0.6, 0.3, 0.2], axis=[1, 0, 0], angle=0.9))
>>> found.certified
True
"""

from . import anchor, gait
from ._document import Document
from ._errors import (
    ArgumentError,
    Complaint,
    MotionError,
    QueryError,
    RattlebackError,
    RecordError,
    SceneError,
    SweepError,
    TrialError,
)
from ._fit import Fit, fit
from ._law import ContactForce, ContactTangent, Law
from ._model import Model
from ._query import Contact, Derivatives, contact, derivatives, touch
from ._rattleback import __version__, set_threads
from ._result import Result, open_result
from ._run import STATE_COLUMNS, Run
from ._scene import Scene, Sensitivity
from ._shape import Shape, pose
from ._study import Study, Sweep, sweep

__all__ = [
    "ArgumentError",
    "Complaint",
    "Contact",
    "ContactForce",
    "ContactTangent",
    "Derivatives",
    "Document",
    "Fit",
    "Law",
    "Model",
    "MotionError",
    "QueryError",
    "RattlebackError",
    "RecordError",
    "Result",
    "Run",
    "STATE_COLUMNS",
    "Scene",
    "SceneError",
    "Sensitivity",
    "Shape",
    "Study",
    "Sweep",
    "SweepError",
    "TrialError",
    "__version__",
    "anchor",
    "contact",
    "derivatives",
    "fit",
    "gait",
    "open_result",
    "pose",
    "set_threads",
    "sweep",
    "touch",
]
