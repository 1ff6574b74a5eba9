"""How a walk is told what to do where it comes: by the class of a named tuple.

A *visitor* is a named tuple, made inside a kernel of what its parts need; its class has the parts
as attributes (:func:`secateur.kernels.core.walk.visitor` puts them there). In a kernel
``visit.face`` is the part itself, known when the kernel is compiled: nothing is looked up while it
runs, and LLVM copies it into the walk like any other part.
"""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.core.dispatcher import Dispatcher
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, lower_getattr

PARTS = ("choose", "open", "face", "ends", "leave", "start", "keep", "take", "note", "join")
"""What a walk asks a visitor for, and, from the sixth on, a walk in pieces."""


@infer_getattr
class _VisitorParts(AttributeTemplate):
    """Tells which part a visitor has under a name."""

    key = types.BaseNamedTuple

    def generic_resolve(self, visit: Any, name: str) -> Any:  # type: ignore[override]
        """Return the type of a part; None if it is none."""
        found = getattr(visit.instance_class, name, None) if name in PARTS else None
        return types.Dispatcher(found) if isinstance(found, Dispatcher) else None


def _lowered(name: str) -> Any:
    """Return what makes machine code of an attribute: nothing is left of a part."""

    def lower(context: Any, builder: Any, kind: Any, value: Any) -> Any:
        if name in kind.fields:  # a field that happens to be called so
            return builder.extract_value(value, kind.fields.index(name))
        return context.get_dummy_value()

    return lower


for _name in PARTS:
    lower_getattr(types.BaseNamedTuple, _name)(_lowered(_name))
