"""What is solved and how, in words: for tables, status and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from secateur.algorithms import ALGORITHMS
from secateur.games.registry import short_name
from secateur.methods import method_in_parts, options_of
from secateur.names import written
from secateur.pruning import POLICIES, PartialPruning
from secateur.solvers.exact import Exact
from secateur.solvers.protocols import Solver


def game_in_words(game: str, settings: Mapping[str, str]) -> str:
    """Return a game as it was named, with what was set."""
    return " ".join([short_name(game), *(f"{name}={value}" for name, value in settings.items())])


def method_in_words(options: Mapping[str, Any]) -> str:
    """Return an algorithm with its pruning and all else that was chosen."""
    given = {name: value for name, value in options.items() if value is not None}
    algorithm = ALGORITHMS[given.pop("algorithm")]
    pruning = POLICIES[given.pop("prune", PartialPruning.name)]
    words = [algorithm.title, *([pruning.title] if algorithm.iterates else [])]
    rest = [
        name.replace("_", " ") + ("" if value is True else f" {written(value)}")
        for name, value in given.items()
    ]
    return ", ".join([*words, *rest])


def solver_in_words(solver: Solver | Exact) -> str:
    """Return a solver as its options tell it, or as its parts do if no options describe it."""
    options = options_of(solver)
    return method_in_parts(solver) if options is None else method_in_words(options)
