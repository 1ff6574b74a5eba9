"""CFR+ of noregret, in the sequence form, on the processor."""

from __future__ import annotations

import noregret
from ordered_set import OrderedSet

from benchmarks.games import GameFiles
from benchmarks.sequence_form import Decisions, Floats, SequenceForm
from benchmarks.solvers import IterativeRunner


class Runner(IterativeRunner):
    """``noregret.CounterfactualRegretMinimizationPlus`` for both players, alternating."""

    def __init__(self, files: GameFiles) -> None:
        kernel = noregret.FloatingPointKernel()
        form = SequenceForm.load(files.form)
        polytopes = tuple(_polytope(kernel, decisions) for decisions in form.decisions)
        self.game = noregret.TwoPlayerZeroSumExtensiveFormGame(kernel, form.payoffs, polytopes)
        self.minimizers = [
            noregret.CounterfactualRegretMinimizationPlus(kernel, polytope)
            for polytope in polytopes
        ]
        self.strategies = [minimizer.output() for minimizer in self.minimizers]

    def step(self, iterations: int) -> None:
        """Run iterations: the loop of ``noregret.regret_minimization``, which cannot resume."""
        for _ in range(iterations):
            for player, minimizer in enumerate(self.minimizers):
                minimizer.observe(self.game.utility(player, self.strategies[1 - player]))
                self.strategies[player] = minimizer.output()

    def average(self, form: SequenceForm) -> tuple[Floats, Floats]:
        """Return the average strategies; the numbers of the sequences are the judge's own."""
        del form
        first, second = (minimizer.average_strategy.copy() for minimizer in self.minimizers)
        return first, second

    def own_nash_conv(self) -> float:
        """Evaluate with the game's ``nash_gap``."""
        first, second = self.minimizers
        return float(self.game.nash_gap(first.average_strategy, second.average_strategy))


def _polytope(kernel: noregret.Kernel, decisions: Decisions) -> noregret.SequenceFormPolytope:
    actions = {
        str(number): OrderedSet(map(str, range(size)))
        for number, size in enumerate(decisions.sizes)
    }
    parents = {}
    for number, parent in enumerate(decisions.parents):
        if parent == 0:
            parents[str(number)] = None
        else:
            owner = decisions.owners[parent - 1]
            parents[str(number)] = str(owner), str(parent - decisions.first[owner])
    return noregret.SequenceFormPolytope(kernel, actions, parents)
