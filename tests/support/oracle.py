"""Translates between a compiled game and the oracle's tree of the same rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

import secateur
from reference.tree import Sequence, Tree, grown
from reference.tree import Strategy as Profile
from secateur import Strategy
from secateur.compiled.game import CompiledGame
from secateur.games import Game

Float = npt.NDArray[np.float64]


class Bridge:
    """One game twice: compiled, and as a tree of histories."""

    def __init__(self, game: Game, compiled: CompiledGame | None = None) -> None:
        self.tree = grown(game)
        self.compiled = compiled or secateur.compile(game, pruning=True)
        where = {
            (infoset.player, infoset.label, action): cell
            for infoset in self.compiled.information_sets()
            for action, cell in zip(infoset.actions, cells_of(infoset, self.compiled), strict=True)
        }
        self.cell: dict[Sequence, int] = {
            (key, action): where[key[0], str(key[1]), str(action)]
            for key, infoset in self.tree.infosets.items()
            for action in infoset.actions
        }

    def array(self, by_sequence: Mapping[Sequence, float]) -> Float:
        """Return the oracle's numbers in the order of the compiled game; 0 where it has none."""
        numbers = np.zeros(self.compiled.cells)
        for sequence, number in by_sequence.items():
            numbers[self.cell[sequence]] = number
        return numbers

    def probabilities(self, profile: Profile) -> Float:
        """Return the oracle's strategy in the order of the compiled game."""
        return self.array(
            {
                (key, action): p
                for key, probabilities in profile.items()
                for action, p in zip(self.tree.infosets[key].actions, probabilities, strict=True)
            }
        )

    def strategy(self, profile: Profile) -> Strategy:
        """Return the oracle's strategy as one of the compiled game."""
        return Strategy(self.compiled, self.probabilities(profile))


def cells_of(infoset: Any, game: CompiledGame) -> list[int]:
    """Return the cells of an information set's actions."""
    return list(range(*infoset.cells.indices(game.cells)))


def random_profile(tree: Tree, seed: int, zeros: float = 0.3) -> Profile:
    """Return a random strategy in which a share of the actions has probability exactly zero."""
    random = np.random.default_rng(seed)
    profile = {}
    for key, infoset in tree.infosets.items():
        count = len(infoset.actions)
        scores = random.random(count) * (random.random(count) >= zeros)
        scores[random.integers(count)] += 0.1
        profile[key] = (scores / scores.sum()).tolist()
    return profile


def random_strategy(game: CompiledGame, seed: int, zeros: float = 0.3) -> Strategy:
    """Return a random strategy of a compiled game, some probabilities exactly zero.

    It depends on the labels alone, not on the order in which a compiler put them.
    """
    probabilities = np.empty(game.cells)
    for infoset in sorted(game.information_sets(), key=lambda each: (each.player, each.label)):
        random = np.random.default_rng([seed, infoset.player, *infoset.label.encode()])
        scores = random.random(len(infoset.actions))
        scores *= random.random(len(scores)) >= zeros
        scores[random.integers(len(scores))] += 0.1
        probabilities[infoset.cells] = scores / scores.sum()
    return Strategy(game, probabilities)
