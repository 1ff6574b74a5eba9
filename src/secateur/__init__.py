"""Solve two-player zero-sum games with hidden information.

::

    import secateur

    game = secateur.load("leduc")
    result = secateur.solve(game, secateur.recipes.cfr_plus(), secateur.exploitability(1e-3))
    result.strategy["Q check bet2"]
"""

from secateur import metrics, recipes
from secateur.averaging import Averaging
from secateur.compiled.compile import compile  # noqa: A004 - secateur.compile(game) reads best
from secateur.compiled.files import open_compiled, save_compiled
from secateur.compiled.game import CompiledGame
from secateur.errors import FileError, GameError, ParameterError, SecateurError
from secateur.games import CHANCE, END, Game, PublicGame, available, load
from secateur.metrics import (
    best_response,
    best_response_value,
    counterfactual_best_response_values,
    expected_value,
    nash_conv,
)
from secateur.minimizers import (
    DiscountedRegretMatching,
    PredictiveRegretMatchingPlus,
    RegretMatching,
    RegretMatchingPlus,
)
from secateur.pruning import NoPruning, PartialPruning
from secateur.solve import Result, solve
from secateur.solvers.cfr import CFR
from secateur.solvers.exact import Exact
from secateur.stopping import exploitability, iterations, nodes_touched, seconds
from secateur.storage import Storage
from secateur.strategy import Strategy, load_strategy

__version__ = "0.1.0"

__all__ = [
    "CFR",
    "CHANCE",
    "END",
    "Averaging",
    "CompiledGame",
    "DiscountedRegretMatching",
    "Exact",
    "FileError",
    "Game",
    "GameError",
    "NoPruning",
    "ParameterError",
    "PartialPruning",
    "PredictiveRegretMatchingPlus",
    "PublicGame",
    "RegretMatching",
    "RegretMatchingPlus",
    "Result",
    "SecateurError",
    "Storage",
    "Strategy",
    "available",
    "best_response",
    "best_response_value",
    "compile",
    "counterfactual_best_response_values",
    "expected_value",
    "exploitability",
    "iterations",
    "load",
    "load_strategy",
    "metrics",
    "nash_conv",
    "nodes_touched",
    "open_compiled",
    "recipes",
    "save_compiled",
    "seconds",
    "solve",
]
