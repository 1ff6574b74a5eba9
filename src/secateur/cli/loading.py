"""From the name of a game to rules and arrays; every command that takes a game does it so."""

from __future__ import annotations

import argparse
import warnings

from secateur.cli.progress import Progress
from secateur.cli.values import OfPot, by_name
from secateur.compiled.compile import compile as compile_rules
from secateur.compiled.game import CompiledGame
from secateur.errors import ParameterError
from secateur.games.own import errors_in_words
from secateur.games.registry import load
from secateur.games.rules import Game
from secateur.solvers.exact import Exact
from secateur.solvers.protocols import Solver


def load_rules(arguments: argparse.Namespace) -> Game:
    """Return the game that was named, with the parameters that were set.

    A target that is a share of the pot becomes a number.
    """
    rules = load(arguments.game, **by_name(arguments.settings))
    target = getattr(arguments, "target", None)
    if isinstance(target, OfPot):
        if rules.pot is None:
            raise ParameterError(
                f"--target {target.text}: {rules.name} has no pot; give a number, such as 1e-3"
            )
        arguments.target = target.share * rules.pot
    return rules


def compile_game(
    rules: Game,
    display: Progress,
    solver: Solver | Exact | None = None,
    *,
    values: bool = False,
    cache: bool = False,
    memory_limit: int | None = None,
) -> CompiledGame:
    """Compile a game for a solver, or to measure strategies, and the values of actions.

    What goes wrong in rules that somebody has written is told like all other errors.
    """
    display.stage(f"compiling the game {rules.name}")
    with (
        errors_in_words(rules.name, type(rules)),
        warnings.catch_warnings(record=True) as heard,
    ):
        warnings.simplefilter("always", RuntimeWarning)
        game = compile_rules(
            rules,
            pruning=values or (solver is not None and solver.needs_bounds),
            thresholds=solver is not None and solver.needs_branches,
            observe=display.read,
            cache=cache,
            memory_limit=memory_limit,
        )
    for warning in heard:
        display.warn(str(warning.message))
    return game
