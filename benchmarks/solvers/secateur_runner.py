"""secateur's CFR+."""

from __future__ import annotations

from functools import cached_property

import numpy as np

import secateur
import secateur.running  # so that all libraries are loaded before memory is first looked at
from benchmarks.games import GameFiles
from benchmarks.sequence_form import Floats, Integers, SequenceForm
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
        """Return the average strategies."""
        probabilities = self.state.average_strategy().probabilities
        behaviors = (probabilities[places] for places in self._places)
        first, second = (
            decisions.plan(behavior)
            for decisions, behavior in zip(form.decisions, behaviors, strict=True)
        )
        return first, second

    @cached_property
    def _places(self) -> tuple[Integers, Integers]:
        """Where the probabilities stand that the judge expects next to each other.

        The judge numbers information sets in order of first visit, secateur in its own; the
        labels say which is which.
        """
        numbers = np.arange(self.game.cells)
        known = {(each.player, each.label): each for each in self.game.information_sets()}
        places: tuple[list[Integers], list[Integers]] = ([], [])
        for node in walk(self.rules):
            if node.turn in (0, 1) and node.information_set == len(places[node.turn]):
                found = known[node.turn, node.label]
                if found.actions != node.actions:
                    raise ValueError(f"{node.label}: {found.actions} instead of {node.actions}")
                places[node.turn].append(numbers[found.cells])
        return np.concatenate(places[0]), np.concatenate(places[1])

    def own_nash_conv(self) -> float:
        """Evaluate as ``secateur.solve`` does."""
        return self.state.nash_conv()
