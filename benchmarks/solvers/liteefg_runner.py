"""LiteEFG's CFR+ baseline."""

from __future__ import annotations

import LiteEFG
import numpy as np
from LiteEFG.baselines import CFRplus

from benchmarks.games import GameFiles
from benchmarks.sequence_form import Floats, SequenceForm
from benchmarks.solvers import IterativeRunner

_AVERAGE = "linear-avg-iterate"


class Runner(IterativeRunner):
    """``LiteEFG.baselines.CFRplus`` in the loop of the library's own training function."""

    def __init__(self, files: GameFiles) -> None:
        LiteEFG.set_threads(1)
        self.environment = LiteEFG.FileEnv(str(files.liteefg))
        self.graph = CFRplus.graph()
        self.environment.set_graph(self.graph)

    def step(self, iterations: int) -> None:
        """Run iterations."""
        strategy = self.graph.current_strategy()
        for _ in range(iterations):
            self.graph.update_graph(self.environment)
            self.environment.update_strategy(strategy)

    def average(self, form: SequenceForm) -> tuple[Floats, Floats]:
        """Return the average strategies."""
        return self._plan(form, 0), self._plan(form, 1)

    def _plan(self, form: SequenceForm, player: int) -> Floats:
        decisions = form.decisions[player]
        behavior = np.empty(decisions.sequences - 1)
        strategy = self.graph.current_strategy()
        for name, policy in self.environment.get_strategy(player + 1, strategy, _AVERAGE):
            number = int(name.rpartition("_")[2])
            start = decisions.first[number] - 1
            behavior[start : start + len(policy)] = policy
        return decisions.plan(behavior)

    def own_nash_conv(self) -> float:
        """Evaluate with the environment's ``exploitability``, which is per player."""
        return sum(self.environment.exploitability(self.graph.current_strategy(), _AVERAGE))
