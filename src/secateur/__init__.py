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
    from secateur.crew import threads
    from secateur.cut_actions import Cuts, cuts
    from secateur.errors import FileError, GameError, ParameterError, SecateurError
    from secateur.explore.notebook import open_explorer
    from secateur.games import CHANCE, END, Game, PublicGame, available, load
    from secateur.games.gambit.game import read_efg
    from secateur.games.gambit.writer import write_efg
    from secateur.games.recall import with_perfect_recall
    from secateur.interop.csv_table import export_csv
    from secateur.interop.gambit_profile import read_gambit_profile, write_gambit_profile
    from secateur.interop.open_spiel import export_open_spiel, to_open_spiel_policy
    from secateur.ledger import memory_ledger
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
    from secateur.node_tables import NodeTable, largest_differences, node_table
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
    from secateur.public_tree import PublicTree
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
    from secateur.translation import translate_strategy

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
    "Cuts",
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
    "NodeTable",
    "OptimisticMirrorDescent",
    "ParameterError",
    "PartialPruning",
    "PredictiveDiscountedRegretMatchingPlus",
    "PredictiveRegretMatchingPlus",
    "PublicGame",
    "PublicTree",
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
    "cuts",
    "expected_value",
    "exploitability",
    "export_csv",
    "export_open_spiel",
    "largest_differences",
    "load",
    "load_strategy",
    "memory_ledger",
    "metrics",
    "nash_conv",
    "node_table",
    "open_compiled",
    "open_explorer",
    "open_run",
    "read_efg",
    "read_gambit_profile",
    "recipes",
    "resume",
    "sample_play",
    "save_compiled",
    "solve",
    "threads",
    "to_open_spiel_policy",
    "translate_strategy",
    "until",
    "with_perfect_recall",
    "write_efg",
    "write_gambit_profile",
]

# Numba and SciPy take a second to load: a name is imported when somebody asks for it.
_HOMES = {
    "averaging": "Averaging",
    "compiled.compile": "compile",
    "compiled.files": "open_compiled save_compiled",
    "compiled.game": "CompiledGame",
    "crew": "threads",
    "cut_actions": "Cuts cuts",
    "errors": "FileError GameError ParameterError SecateurError",
    "explore.notebook": "open_explorer",
    "games": "CHANCE END Game PublicGame available load",
    "games.gambit.game": "read_efg",
    "games.gambit.writer": "write_efg",
    "games.recall": "with_perfect_recall",
    "interop.csv_table": "export_csv",
    "interop.gambit_profile": "read_gambit_profile write_gambit_profile",
    "interop.open_spiel": "export_open_spiel to_open_spiel_policy",
    "ledger": "memory_ledger",
    "metrics": "action_values best_response best_response_value "
    "counterfactual_best_response_values expected_value exploitability nash_conv",
    "minimizers": "DiscountedRegretMatching Hedge "
    "PredictiveRegretMatchingPlus RegretMatching RegretMatchingPlus",
    "node_tables": "NodeTable largest_differences node_table",
    "playing": "sample_play",
    "plus_minimizers": "AsymmetricPredictiveRegretMatchingPlus DiscountedRegretMatchingPlus "
    "PredictiveDiscountedRegretMatchingPlus",
    "pruning": "BestResponsePruning NoPruning PartialPruning RegretBasedPruning",
    "public_tree": "PublicTree",
    "results": "Result",
    "runs.reading": "Run open_run",
    "runs.solving": "resume solve",
    "solvers.cfr": "CFR",
    "solvers.egt": "EGT",
    "solvers.exact": "Exact",
    "solvers.fictitious_play": "FictitiousPlay",
    "solvers.mirror_descent": "OptimisticMirrorDescent",
    "storage": "Storage",
    "strategy": "Strategy load_strategy",
    "thresholding": "DynamicThresholding",
    "translation": "translate_strategy",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'secateur' has no attribute {name!r}")
    import importlib  # noqa: PLC0415 - Ctrl-C while it is loaded would be Python's to tell

    if name not in _HOME:
        return importlib.import_module(f"secateur.{name}")
    value = globals()[name] = getattr(importlib.import_module(f"secateur.{_HOME[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
