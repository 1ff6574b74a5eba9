"""Solve two-player zero-sum games with hidden information.

::

    import secateur

    game = secateur.load("leduc")
    result = secateur.solve(game, secateur.recipes.cfr_plus(), secateur.exploitability(1e-3))
    result.strategy["Q check bet2"]
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from secateur import metrics, recipes
    from secateur.averaging import Averaging
    from secateur.compiled.compile import compile  # noqa: A004 - secateur.compile(game) reads best
    from secateur.compiled.files import open_compiled, save_compiled
    from secateur.compiled.game import CompiledGame
    from secateur.errors import FileError, GameError, ParameterError, SecateurError
    from secateur.games import CHANCE, END, Game, PublicGame, available, load
    from secateur.games.gambit.game import read_efg
    from secateur.games.gambit.writer import write_efg
    from secateur.interop.csv_table import export_csv
    from secateur.interop.gambit_profile import read_gambit_profile, write_gambit_profile
    from secateur.interop.open_spiel import export_open_spiel, to_open_spiel_policy
    from secateur.metrics import (
        best_response,
        best_response_value,
        counterfactual_best_response_values,
        expected_value,
        nash_conv,
    )
    from secateur.minimizers import (
        DiscountedRegretMatching,
        Hedge,
        PredictiveRegretMatchingPlus,
        RegretMatching,
        RegretMatchingPlus,
    )
    from secateur.pruning import (
        BestResponsePruning,
        NoPruning,
        PartialPruning,
        RegretBasedPruning,
    )
    from secateur.running import Result, solve
    from secateur.solvers.cfr import CFR
    from secateur.solvers.egt import EGT
    from secateur.solvers.exact import Exact
    from secateur.solvers.fictitious_play import FictitiousPlay
    from secateur.solvers.mirror_descent import OptimisticMirrorDescent
    from secateur.stopping import exploitability, iterations, nodes_touched, seconds
    from secateur.storage import Storage
    from secateur.strategy import Strategy, load_strategy
    from secateur.thresholding import DynamicThresholding

__version__ = "0.1.0"

__all__ = [
    "CFR",
    "CHANCE",
    "EGT",
    "END",
    "Averaging",
    "BestResponsePruning",
    "CompiledGame",
    "DiscountedRegretMatching",
    "DynamicThresholding",
    "Exact",
    "FictitiousPlay",
    "FileError",
    "Game",
    "GameError",
    "Hedge",
    "NoPruning",
    "OptimisticMirrorDescent",
    "ParameterError",
    "PartialPruning",
    "PredictiveRegretMatchingPlus",
    "PublicGame",
    "RegretBasedPruning",
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
    "export_csv",
    "export_open_spiel",
    "iterations",
    "load",
    "load_strategy",
    "metrics",
    "nash_conv",
    "nodes_touched",
    "open_compiled",
    "read_efg",
    "read_gambit_profile",
    "recipes",
    "save_compiled",
    "seconds",
    "solve",
    "to_open_spiel_policy",
    "write_efg",
    "write_gambit_profile",
]

# Numba and SciPy take a second to load: a name is imported when somebody asks for it.
_HOMES = {
    "Averaging": "secateur.averaging",
    "BestResponsePruning": "secateur.pruning",
    "CFR": "secateur.solvers.cfr",
    "CHANCE": "secateur.games",
    "CompiledGame": "secateur.compiled.game",
    "DiscountedRegretMatching": "secateur.minimizers",
    "DynamicThresholding": "secateur.thresholding",
    "EGT": "secateur.solvers.egt",
    "END": "secateur.games",
    "Exact": "secateur.solvers.exact",
    "FictitiousPlay": "secateur.solvers.fictitious_play",
    "FileError": "secateur.errors",
    "Game": "secateur.games",
    "GameError": "secateur.errors",
    "Hedge": "secateur.minimizers",
    "NoPruning": "secateur.pruning",
    "OptimisticMirrorDescent": "secateur.solvers.mirror_descent",
    "ParameterError": "secateur.errors",
    "PartialPruning": "secateur.pruning",
    "PredictiveRegretMatchingPlus": "secateur.minimizers",
    "PublicGame": "secateur.games",
    "RegretBasedPruning": "secateur.pruning",
    "RegretMatching": "secateur.minimizers",
    "RegretMatchingPlus": "secateur.minimizers",
    "Result": "secateur.running",
    "SecateurError": "secateur.errors",
    "Storage": "secateur.storage",
    "Strategy": "secateur.strategy",
    "available": "secateur.games",
    "best_response": "secateur.metrics",
    "best_response_value": "secateur.metrics",
    "compile": "secateur.compiled.compile",
    "counterfactual_best_response_values": "secateur.metrics",
    "expected_value": "secateur.metrics",
    "exploitability": "secateur.stopping",
    "export_csv": "secateur.interop.csv_table",
    "export_open_spiel": "secateur.interop.open_spiel",
    "iterations": "secateur.stopping",
    "load": "secateur.games",
    "load_strategy": "secateur.strategy",
    "nash_conv": "secateur.metrics",
    "nodes_touched": "secateur.stopping",
    "open_compiled": "secateur.compiled.files",
    "read_efg": "secateur.games.gambit.game",
    "read_gambit_profile": "secateur.interop.gambit_profile",
    "save_compiled": "secateur.compiled.files",
    "seconds": "secateur.stopping",
    "solve": "secateur.running",
    "to_open_spiel_policy": "secateur.interop.open_spiel",
    "write_efg": "secateur.games.gambit.writer",
    "write_gambit_profile": "secateur.interop.gambit_profile",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'secateur' has no attribute {name!r}")
    if name not in _HOMES:
        return importlib.import_module(f"secateur.{name}")
    value = globals()[name] = getattr(importlib.import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
