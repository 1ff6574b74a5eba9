"""secateur's CFR+."""

from __future__ import annotations

import numpy as np

import secateur
from benchmarks.games import GameFiles
from benchmarks.sequence_form import Floats, SequenceForm
from benchmarks.solvers import IterativeRunner
from benchmarks.tree import walk


class Runner(IterativeRunner):
    """``secateur.recipes.cfr_plus``."""

    def __init__(self, files: GameFiles) -> None:
        self.rules = secateur.load(files.name)
        self.game = secateur.compile(self.rules)
        self.state = secateur.recipes.cfr_plus().start(self.game)

    def step(self, iterations: int) -> None:
        """Run iterations."""
        self.state.step(iterations)

    def average(self, form: SequenceForm) -> tuple[Floats, Floats]:
        """Return the average strategies, looked up by the label of the information set."""
        strategy = self.state.average_strategy()
        behaviours = tuple(np.full(each.sequences - 1, np.nan) for each in form.decisions)
        for node in walk(self.rules):
            if node.turn in (0, 1):
                start = form.decisions[node.turn].first[node.information_set] - 1
                place = behaviours[node.turn][start : start + len(node.actions)]
                if np.isnan(place[0]):
                    place[:] = strategy.probabilities(node.turn, node.label)
        first, second = form.decisions
        return first.plan(behaviours[0]), second.plan(behaviours[1])

    def own_nash_conv(self) -> float:
        """Evaluate with ``secateur.nash_conv``."""
        return secateur.nash_conv(self.game, self.state.average_strategy())
