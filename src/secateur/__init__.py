"""Solve two-player zero-sum games with hidden information.

::

    import secateur

    game = secateur.load("leduc")
    result = secateur.solve(game, "cfr+", secateur.until.exploitability(1e-3))
    result.strategy["Q check bet2"]
"""

from __future__ import annotations

TYPE_CHECKING = False  # that of the standard library takes longer to load than all else here
if TYPE_CHECKING:
    from typing import Any

    from secateur import metrics, recipes, until
    from secateur.averaging import Averaging
    from secateur.compiled.compile import compile  # noqa: A004 - secateur.compile(game) reads best
    from secateur.compiled.files import open_compiled, save_compiled
    from secateur.compiled.game import CompiledGame
    from secateur.errors import FileError, GameError, ParameterError, SecateurError
    from secateur.games import CHANCE, END, Game, PublicGame, available, load
    from secateur.games.gambit.game import read_efg
    from secateur.games.gambit.writer import write_efg
    from secateur.games.recall import with_perfect_recall
    from secateur.interop.csv_table import export_csv
    from secateur.interop.gambit_profile import read_gambit_profile, write_gambit_profile
    from secateur.interop.open_spiel import export_open_spiel, to_open_spiel_policy
    from secateur.metrics import (
        action_values,
        best_response,
        best_response_value,
        counterfactual_best_response_values,
        expected_value,
        exploitability,
        nash_conv,
    )
    from secateur.minimizers import (
        DiscountedRegretMatching,
        Hedge,
        PredictiveRegretMatchingPlus,
        RegretMatching,
        RegretMatchingPlus,
    )
    from secateur.playing import sample_play
    from secateur.plus_minimizers import (
        AsymmetricPredictiveRegretMatchingPlus,
        DiscountedRegretMatchingPlus,
        PredictiveDiscountedRegretMatchingPlus,
    )
    from secateur.pruning import (
        BestResponsePruning,
        NoPruning,
        PartialPruning,
        RegretBasedPruning,
    )
    from secateur.results import Result
    from secateur.runs.reading import Run, open_run
    from secateur.runs.solving import resume, solve
    from secateur.solvers.cfr import CFR
    from secateur.solvers.egt import EGT
    from secateur.solvers.exact import Exact
    from secateur.solvers.fictitious_play import FictitiousPlay
    from secateur.solvers.mirror_descent import OptimisticMirrorDescent
    from secateur.storage import Storage
    from secateur.strategy import Strategy, load_strategy
    from secateur.thresholding import DynamicThresholding

__version__ = "0.1.0"

__all__ = [
    "CFR",
    "CHANCE",
    "EGT",
    "END",
    "AsymmetricPredictiveRegretMatchingPlus",
    "Averaging",
    "BestResponsePruning",
    "CompiledGame",
    "DiscountedRegretMatching",
    "DiscountedRegretMatchingPlus",
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
    "PredictiveDiscountedRegretMatchingPlus",
    "PredictiveRegretMatchingPlus",
    "PublicGame",
    "RegretBasedPruning",
    "RegretMatching",
    "RegretMatchingPlus",
    "Result",
    "Run",
    "SecateurError",
    "Storage",
    "Strategy",
    "action_values",
    "available",
    "best_response",
    "best_response_value",
    "compile",
    "counterfactual_best_response_values",
    "expected_value",
    "exploitability",
    "export_csv",
    "export_open_spiel",
    "load",
    "load_strategy",
    "metrics",
    "nash_conv",
    "open_compiled",
    "open_run",
    "read_efg",
    "read_gambit_profile",
    "recipes",
    "resume",
    "sample_play",
    "save_compiled",
    "solve",
    "to_open_spiel_policy",
    "until",
    "with_perfect_recall",
    "write_efg",
    "write_gambit_profile",
]

# Numba and SciPy take a second to load: a name is imported when somebody asks for it.
_HOMES = {
    "AsymmetricPredictiveRegretMatchingPlus": "secateur.plus_minimizers",
    "Averaging": "secateur.averaging",
    "BestResponsePruning": "secateur.pruning",
    "CFR": "secateur.solvers.cfr",
    "CHANCE": "secateur.games",
    "CompiledGame": "secateur.compiled.game",
    "DiscountedRegretMatching": "secateur.minimizers",
    "DiscountedRegretMatchingPlus": "secateur.plus_minimizers",
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
    "PredictiveDiscountedRegretMatchingPlus": "secateur.plus_minimizers",
    "PredictiveRegretMatchingPlus": "secateur.minimizers",
    "PublicGame": "secateur.games",
    "RegretBasedPruning": "secateur.pruning",
    "RegretMatching": "secateur.minimizers",
    "RegretMatchingPlus": "secateur.minimizers",
    "Result": "secateur.results",
    "Run": "secateur.runs.reading",
    "SecateurError": "secateur.errors",
    "Storage": "secateur.storage",
    "Strategy": "secateur.strategy",
    "action_values": "secateur.metrics",
    "available": "secateur.games",
    "best_response": "secateur.metrics",
    "best_response_value": "secateur.metrics",
    "compile": "secateur.compiled.compile",
    "counterfactual_best_response_values": "secateur.metrics",
    "expected_value": "secateur.metrics",
    "exploitability": "secateur.metrics",
    "export_csv": "secateur.interop.csv_table",
    "export_open_spiel": "secateur.interop.open_spiel",
    "load": "secateur.games",
    "load_strategy": "secateur.strategy",
    "nash_conv": "secateur.metrics",
    "open_compiled": "secateur.compiled.files",
    "open_run": "secateur.runs.reading",
    "read_efg": "secateur.games.gambit.game",
    "read_gambit_profile": "secateur.interop.gambit_profile",
    "resume": "secateur.runs.solving",
    "sample_play": "secateur.playing",
    "save_compiled": "secateur.compiled.files",
    "solve": "secateur.runs.solving",
    "to_open_spiel_policy": "secateur.interop.open_spiel",
    "with_perfect_recall": "secateur.games.recall",
    "write_efg": "secateur.games.gambit.writer",
    "write_gambit_profile": "secateur.interop.gambit_profile",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'secateur' has no attribute {name!r}")
    import importlib  # noqa: PLC0415 - Ctrl-C while it is loaded would be Python's to tell

    if name not in _HOMES:
        return importlib.import_module(f"secateur.{name}")
    value = globals()[name] = getattr(importlib.import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
