"""What short runs of all solvers come to; the same, whether kernels are compiled or not."""

from __future__ import annotations

from dataclasses import replace

from secateur import BestResponsePruning, recipes
from support.solvers import SOLVERS, ready

EAGER = recipes.cfr(pruning=BestResponsePruning(check_every=1))
"""Searches for actions to prune after each iteration."""

_ITERATIONS = {"kuhn": 24, "leduc": 3, "random": 12}

RUNS = [
    *((title, "kuhn") for title in SOLVERS),
    *((title, "random") for title in ("cfr", "pcfr+", "hedge")),
    ("cfr, brp, eager", "leduc"),
]
"""All solvers on a tiny game, some where hands do not share public states, and one on a game with
more sequences than a byte can count."""


def outcome(title: str, game: str) -> list[float]:
    """Return the numbers of a run: how good it is, what is alive and visited, the strategy."""
    solver = EAGER if title == "cfr, brp, eager" else SOLVERS[title]
    state = replace(solver, count_nodes=True).start(ready(game))
    state.step(_ITERATIONS[game])
    return [
        state.nash_conv(),
        float(state.regret_entries_live),
        float(state.strategy_entries_live),
        float(state.nodes_touched),
        *state.average_strategy().probabilities.tolist(),
    ]
