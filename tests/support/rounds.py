"""The fast engine of pruning in rounds and the slow oracle, side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import secateur
from reference import ReferenceRounds
from secateur.games import Game
from secateur.solvers import rounds, rounds_books
from secateur.solvers.cfr import CFRState
from secateur.solvers.rounds import RoundsState
from support.apart import apart, unlike
from support.pruning import RULES
from support.small_games import ready_to_prune

ROUND_RULES = sorted({*RULES} - {"rm", "linear"})
"""By the names of the oracle: regret matching with plain sums keeps a store."""


def search_often(monkeypatch: pytest.MonkeyPatch, first: int = 1, later: int = 4) -> None:
    """Let runs search after so many iterations, and then every so many."""
    monkeypatch.setattr(RoundsState, "first_look", lambda *_: first)
    monkeypatch.setattr(rounds, "_SHORTEST", later)
    monkeypatch.setattr(rounds, "_SHARE", np.inf)


def undo_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let runs cut boldly, and undo rounds that did hardly any harm."""
    monkeypatch.setattr(rounds, "_AT_FIRST", 0.1)
    monkeypatch.setattr(rounds, "_LATER", 0.1)
    monkeypatch.setattr(rounds, "_HARM", 0.003)


def divide(monkeypatch: pytest.MonkeyPatch, parts: int = 7) -> None:
    """Let runs divide small games, too."""
    monkeypatch.setattr(rounds_books, "_LARGE", 1)
    monkeypatch.setattr(rounds_books, "_PARTS", parts)
    monkeypatch.setattr(rounds_books, "_SMALLEST", 1)


def started(game: secateur.CompiledGame, rule: str, **policy: Any) -> RoundsState:
    """Return a run before its first iteration."""
    minimizer, averaging = RULES[rule]
    pruning = secateur.BestResponsePruning(**policy)
    state = secateur.CFR(minimizer=minimizer, averaging=averaging, pruning=pruning).start(game)
    assert isinstance(state, RoundsState)
    return state


class Unpacked:
    """What books hold after the last iteration, by cell and by information set."""

    def __init__(self, state: RoundsState) -> None:
        game = state.game
        if state.dense:
            self._of_dense(state.dense)
            return
        books = state._books
        books._write_back()
        now, discounts = state._now, state._discounts(state._now).reshape(-1, 2)
        self.total = state.strategy_sums()
        self.regret = np.zeros(game.cells)
        self.alive = np.zeros(game.cells, np.bool_)
        self.active = np.zeros(game.size.information_sets, np.bool_)
        self.value_sum = np.zeros(game.size.information_sets)
        for each, kept in zip(books.sides, books.kept, strict=True):
            lengths = np.diff(each.side.first)
            seen = np.repeat(kept.seen, lengths)
            regret = kept.regret[1:].copy()
            if books.how.idle:
                for place in np.flatnonzero(seen < now):
                    missed = discounts[seen[place] + 1 : now + 1, 0 if regret[place] > 0 else 1]
                    regret[place] *= missed.prod()
            self.regret[each.cell[1:]] = regret
            self.alive[each.cell[1:]] = kept.alive[1:]
            self.active[each.infoset] = kept.alive[each.side.parent]
            self.value_sum[each.infoset] = kept.value_sum

    def _of_dense(self, dense: CFRState) -> None:
        self.total, self.regret = dense.strategy_sum, dense.regret
        self.alive = np.ones(dense.game.cells, np.bool_)
        self.active = np.ones(dense.game.size.information_sets, np.bool_)
        self.value_sum = np.zeros(dense.game.size.information_sets)


class SideBySide:
    """Steps both and compares all that they keep."""

    def __init__(self, game: Game, rule: str, discard: float = 0.0, **policy: Any) -> None:
        self.game = ready_to_prune(game)
        self.fast = started(self.game, rule, discard=discard, discard_rule="linear", **policy)
        self.slow = ReferenceRounds(
            game,
            rule,
            check_every=set(),
            **({"discard": discard, "discard_rule": "linear"} if discard else {}),
        )
        self.slow.harm = rounds._HARM
        keys = {(key[0], str(key[1])): key for key in self.slow.active}
        infosets = list(self.game.information_sets())
        self.keys = [keys[infoset.player, infoset.label] for infoset in infosets]
        self.names: list[Any] = [None] * self.game.cells
        self.infoset_of = np.zeros(self.game.cells, np.int64)
        for number, (key, infoset) in enumerate(zip(self.keys, infosets, strict=True)):
            self.infoset_of[infoset.cells] = number
            self.names[infoset.cells] = [(key, a) for a in self.slow.tree.infosets[key].actions]

    @property
    def searched(self) -> bool:
        """Whether the last iteration was followed by a search."""
        return 0 < self.fast.last_search == self.fast.iteration

    def step(self) -> None:
        """Run one iteration of both."""
        self.fast.step()
        self.slow.min_skip = self.fast.minimum_skip
        # the engine decides when to search
        self.slow.check_every = {self.slow.iteration + 1} if self.searched else set()
        self.slow.step()

    def is_near_tie(self) -> bool:
        """Whether a regret is zero but for rounding, so that both are right and may part."""
        near = np.abs(Unpacked(self.fast).regret)
        return bool(((near > 1e-290) & (near < 1e-12)).any())

    def differences(self, tolerance: float = 1e-8) -> list[str]:
        """Return what is not the same: decisions exactly, numbers up to rounding."""
        books, slow, names = Unpacked(self.fast), self.slow, self.names
        allowed = tolerance * max(1.0, self.fast.weight)
        active = np.array([key in slow.active for key in self.keys])
        alive = ~np.array([name in slow.pruned for name in names]) & active[self.infoset_of]
        values = np.array([slow.sumv.get(key, 0.0) for key in self.keys])
        sums = np.array([slow.strategy_sum.get(name, 0.0) for name in names])
        regrets = np.array([slow.regret.get(name, 0.0) for name in names])
        weighted = allowed if slow.summed else tolerance
        return [
            *unlike("activity", self.keys, books.active, active),
            *unlike("life", names, books.alive, alive),
            *apart("sum", names, books.total, sums, allowed),
            *apart("regret", names, books.regret, regrets, weighted, alive),
            *apart("values", self.keys, books.value_sum, values, allowed, active & self.searched),
        ]
