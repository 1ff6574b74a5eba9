"""Options: settings of solvers that can be typed, each told once, by what it sets.

Policies of :mod:`secateur.pruning` and rows of :mod:`secateur.algorithms` name theirs; the command
line is made of them, and so is the way back from a solver to its options.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["word", "flag", "count", "positive", "not_negative", "number"]


@dataclass(frozen=True)
class Option:
    """A setting of a solver, or of a part of one."""

    name: str
    """As people know it: ``min_skip`` is ``--min-skip`` on the command line."""

    sets: str
    """The field that it sets; ``storage.precision`` is a field of a part of the solver."""

    help: str
    """What it does, for whom, and what is the default."""

    kind: Kind = "word"
    """What is typed: one of some words, nothing at all, or a number."""

    metavar: str | None = None
    """What stands for the value in help."""

    words: Mapping[str, Any] = field(default_factory=dict)
    """What can be typed, and the values of the field that it stands for."""

    def value(self, given: Any) -> Any:
        """Return what the field is set to."""
        return self.words.get(given, given) if isinstance(given, str) else given

    def given(self, value: Any) -> Any:
        """Return what sets the field to a value."""
        return next((word for word, known in self.words.items() if known == value), value)


def as_they_are(*words: str) -> dict[str, str]:
    """Return words that stand for themselves."""
    return {word: word for word in words}


def by_name(options: Iterable[Option]) -> dict[str, list[Option]]:
    """Return options, each once, by their names: several may share one."""
    found: dict[str, list[Option]] = {}
    for option in options:
        same = found.setdefault(option.name, [])
        if option not in same:
            same.append(option)
    return found
