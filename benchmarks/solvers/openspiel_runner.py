"""OpenSpiel's CFR+ in C++, on the game tree in Gambit's format."""

from __future__ import annotations

import numpy as np
import pyspiel

from benchmarks.games import GameFiles
from benchmarks.sequence_form import Floats, SequenceForm
from benchmarks.solvers import IterativeRunner


class Runner(IterativeRunner):
    """``pyspiel.CFRPlusSolver``."""

    def __init__(self, files: GameFiles) -> None:
        self.game = pyspiel.load_game(f"efg_game(filename={files.efg})")
        self.solver = pyspiel.CFRPlusSolver(self.game)

    def step(self, iterations: int) -> None:
        """Run iterations."""
        advance = self.solver.evaluate_and_update_policy
        for _ in range(iterations):
            advance()

    def average(self, form: SequenceForm) -> tuple[Floats, Floats]:
        """Return the average strategies."""
        behaviors = tuple(np.empty(each.sequences - 1) for each in form.decisions)
        for name, policy in self.solver.tabular_average_policy().policy_table().items():
            # The name is player-observer-number-label; actions come in order of position.
            player, _, number, _ = name.split("-", 3)
            start = form.decisions[int(player)].first[int(number) - 1] - 1
            behaviors[int(player)][start : start + len(policy)] = [chance for _, chance in policy]
        first, second = form.decisions
        return first.plan(behaviors[0]), second.plan(behaviors[1])

    def own_nash_conv(self) -> float:
        """Evaluate with ``pyspiel.nash_conv``."""
        return pyspiel.nash_conv(self.game, self.solver.average_policy())
