"""A run of CFR with best-response pruning in rounds.

Iterations between two searches are a *round*. They run on a game of their own, in sequence form,
that has only what is alive and something to choose; no bounds are kept. A search decides everything
anew, by one best response for each player over the whole game. Those also tell what harm the cuts
have done: what best responses win by what was cut. If that is too much the round is undone, and
done again with more caution.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, final

import numpy as np
import numpy.typing as npt

from secateur.compiled.game import CompiledGame
from secateur.errors import ParameterError
from secateur.kernels.best_response_pruning.store import ROUNDING
from secateur.kernels.pruning_rounds.search import Terms
from secateur.pruning import BestResponsePruning
from secateur.solvers.begins_dense import BeginsDense
from secateur.solvers.pruned_start import value_sums
from secateur.solvers.resumable import Saved
from secateur.solvers.rounds_books import CutSequences, RoundsBooks
from secateur.solvers.sequence_sides import most_entries, most_numbers

if TYPE_CHECKING:
    from secateur.solvers.cfr import CFR, CFRState

Float = npt.NDArray[np.float64]

_MOST_ENTRIES = 1 << 26
"""Of rows, with which iterations in sequence form save time: up to some 400 MB. Beyond, they come
from slow memory one by one, where the dense sweep reads its matrices from the cache."""

_MOST_OF_SEQUENCE = 9.5
"""Entries for each sequence on average. Where hands are many the dense sweep is as fast, because it
multiplies several numbers at once."""

_MOST_NUMBERS = 1 << 16
"""What entries of rows can be, of which each is told by two bytes: an iteration reads all that is
played from memory, and with four bytes takes a tenth to a fifth more."""

_ENTRY, _SEQUENCE, _CALLS = 2.0, 8.0, 8e4
"""What it takes to search and to begin a round, for each entry and each sequence of the whole game,
and in any game: in numbers that an iteration touches."""

_SHARE = 0.25
"""The share of time that searches may take."""

_FIRST_WORK = 0.4
"""The share of entries that an iteration of the first round is taken to touch."""

_BEGIN, _BEGIN_SEQUENCE = 4e5, 40.0
"""What it takes to begin with rounds, in any game and for each sequence: in the same numbers."""

_SHARE_OF_BEGIN = 0.1
"""The share of time until then that this may take."""

_DENSE_BLOCK, _DENSE_SEQUENCE = 3.0, 1.4
"""What an iteration takes before that, for each block and each sequence: in the same numbers."""

_SHORTEST = 50
"""Iterations of a round at the least."""

_HARM, _SLIGHT_HARM = 0.1, 0.003
"""Shares of NashConv that may come from what was cut: in a round that is kept, and in one after
which caution falls."""

_FIRST_CAUTION, _LEAST_CAUTION = 0.5, 0.1

_AT_FIRST, _LATER = 0.5, 0.95
"""What caution falls to from round to round, until one has done harm, and from then on."""

_AFTER_SLIGHT_HARM, _AFTER_HARM = 2.0, 4.0
"""What caution rises to."""

_LEAST_DISCOUNT = 1e-300
"""Of which the logarithm is taken: what is discounted by less is nothing after two iterations."""

_OF_SEQUENCE = (16, 26, 17, 28), (4 + 32, 16)
"""Bytes of a sequence of the game: of its side, of what is kept of it now and before, of where it
is in a round and what it is worth; and of one of a round: of side and numbers, and to make it."""

_OF_INFOSET = (20, 20, 8, 12), (16 + 37 + 8, 16)
"""The same of an information set."""

_OF_ENTRY, _OF_NUMBER = 6, 64
"""Bytes of an entry of rows, and of each number that entries can be, until all are known."""


def runs_in_rounds(solver: CFR, policy: BestResponsePruning, game: CompiledGame) -> bool:
    """Return whether a run is one in rounds: if nothing is asked for that needs bounds or nodes.

    Plain regret matching needs bounds: what it has lost in a round it never forgets.
    """
    if solver.minimizer.pruned_as == "matching":
        return False
    if policy.check_every is not None or solver.count_nodes or solver.updates != "alternating":
        return False
    if policy.duration != "reach" or policy.softness or policy.cut_played or game.pruning is None:
        return False
    if len(game.arrays.leaf_matrix) > _MOST_ENTRIES // 2:
        return False  # each has an entry in the rows of either player
    entries = most_entries(game)
    if entries is None or entries > min(_MOST_ENTRIES, _MOST_OF_SEQUENCE * game.cells):
        return False
    return most_numbers(game) <= _MOST_NUMBERS


@final
class RoundsState(BeginsDense):
    """Regrets and strategies of a run with best-response pruning in rounds."""

    _numbers = (
        *("_iteration", "earlier", "_weight", "undone", "_weight_before"),
        *("caution", "_fall", "minimum_skip", "last_search", "_check", "_work"),
    )
    _books: RoundsBooks

    def __init__(
        self, solver: CFR, policy: BestResponsePruning, game: CompiledGame, dense: CFRState
    ) -> None:
        super().__init__(solver, policy, game, dense, policy.minimum_skip or 1.0)
        self._least_skip = self.minimum_skip
        self.undone = 0
        """Iterations of rounds that were undone."""

        self.caution = _FIRST_CAUTION
        """For which share of a round an action must be skipped to be cut, by its bound."""

        self._fall = _AT_FIRST
        self._weight_before = 0.0
        self._work = 0.0
        self._known_logs = np.zeros(0)

    @property
    def _now(self) -> int:
        return super()._now - self.undone

    @staticmethod
    def memory_estimate(solver: CFR, game: CompiledGame) -> int:
        """Return the bytes that a run will take at the most, but for small stacks."""
        claims = 2 * 8 * solver.minimizer.predicts
        of_sequence, of_infoset = (sum(map(sum, each)) for each in (_OF_SEQUENCE, _OF_INFOSET))
        rows = 2 * _OF_ENTRY * (most_entries(game) or 0) + _OF_NUMBER * most_numbers(game)
        sequences = (of_sequence + claims) * (game.cells + 2)
        return rows + sequences + of_infoset * game.size.information_sets

    @staticmethod
    def memory_to_compact(_solver: CFR, game: CompiledGame) -> int:
        """Return the bytes that are taken for a while to make the game of a round."""
        return 5 * (game.cells + 4 * game.size.information_sets)

    @staticmethod
    def first_look(game: CompiledGame) -> int:
        """Return after how many iterations to search first, which is when rounds begin."""
        begin = _BEGIN + _BEGIN_SEQUENCE * game.cells
        blocks = len(game.arrays.player)
        iteration = _DENSE_BLOCK * blocks + _DENSE_SEQUENCE * game.cells
        return ceil(begin / (_SHARE_OF_BEGIN * iteration))

    def _new_books(self) -> None:
        self._books = RoundsBooks(self.game, self._layout())

    def _check_books(self, saved: Saved) -> None:
        numbers, arrays = saved.numbers, saved.arrays
        if not numbers["last_search"] <= numbers["_iteration"] < numbers["_check"]:
            raise ParameterError("restore: last_search cannot come from a run of this game.")
        if numbers["undone"] > numbers["last_search"]:
            raise ParameterError("restore: undone cannot come from a run of this game.")
        if not self._books.is_in_order(arrays):
            raise ParameterError("restore: alive cannot come from a run of this game.")
        weight, before = numbers["_weight"], numbers["_weight_before"]
        sums = [arrays[f"total_{player}"][0] + arrays[f"grown_{player}"][0] for player in range(2)]
        if not 0.0 < before <= weight or not np.allclose(sums, weight):
            raise ParameterError("restore: _weight cannot come from a run of this game.")
        if numbers["caution"] < _LEAST_CAUTION or numbers["_fall"] not in (_AT_FIRST, _LATER):
            raise ParameterError("restore: caution cannot come from a run of this game.")
        earlier = numbers["earlier"] - numbers["undone"]
        began, now = (earlier + numbers[name] for name in ("last_search", "_iteration"))
        for seen in (arrays["seen_0"], arrays["seen_1"]):
            if (seen < began).any() or (seen > now).any():
                raise ParameterError("restore: seen cannot come from a run of this game.")

    def _take_books(self) -> None:
        self._books.begin_round()

    def _is_worth_it(self) -> bool:
        return self.weight > 0.0  # else there is no average yet

    def _step_books(self, stop: int) -> None:
        """Run iterations of the round up to ``stop``."""
        last = self._now + stop - self._iteration
        schedule = self._schedule(last)
        self._work += self._books.iterate(schedule, self._now + 1, self._logs(last))
        self._weight = self.solver.averaging.total(self._weight, schedule[:, -1])
        self._iteration = stop

    def _logs(self, last: int) -> Float:
        """Return sums of the logarithms of all discounts up to the ``last`` iteration."""
        known = self._discounts(last)
        if len(self._known_logs) < len(known):
            logs = np.log(np.maximum(known, _LEAST_DISCOUNT)).reshape(-1, 2)
            self._known_logs = np.cumsum(logs, axis=0).ravel()
        return self._known_logs

    def _search(self) -> None:
        if self._dense:
            self._leave_dense()
            self._books.respond(self._weight)
            self._remember()
        else:
            self._books.end_round(self._now, self._logs(self._now))
            self._judge()
        interval = self._interval()
        self.minimum_skip = max(self._least_skip, self.caution * interval)
        threshold = self.policy.discards_up_to(self._now, self.solver.averaging)
        self._books.search(self._search_terms(), self._weight * threshold, self._now)
        self._books.begin_round()
        self.last_search = self._iteration
        self._check = self._iteration + interval
        self._work = 0.0

    def rehearse(self) -> None:
        """Search, undo the round, and begin anew from a checkpoint, so that all is ready."""
        self._search()
        self._books.undo()
        self.restore(self.saved())

    def _judge(self) -> None:
        """Keep the round, or undo it if its cuts did harm; learn from it how careful to be."""
        gained, harm = self._books.respond(self._weight)
        harmless = harm <= _SLIGHT_HARM * gained + self._tolerance
        if not harmless:
            self._fall = _LATER
        if harm <= _HARM * gained + self._tolerance:
            change = self._fall if harmless else _AFTER_SLIGHT_HARM
            self.caution = min(1.0, max(_LEAST_CAUTION, change * self.caution))
            self._remember()
        else:
            self.caution *= _AFTER_HARM
            self.undone += self._iteration - self.last_search
            self._weight = self._weight_before
            self._books.undo()
            self._books.respond(self._weight)

    def _remember(self) -> None:
        self._weight_before = self._weight
        self._books.remember()

    @property
    def _tolerance(self) -> float:
        """What counts as zero, in sums of values."""
        return ROUNDING * (1.0 + self._weight) * self._payoff_range

    def _leave_dense(self) -> None:
        """Go on with books that hold the whole game in sequence form."""
        dense = self._dense
        assert dense is not None
        values = value_sums(dense, self._layout())
        regrets, sums = dense.regret, dense.strategy_sum
        self._iteration, self.earlier, self._weight = dense.iteration, dense.earlier, dense.weight
        self._dense = dense = None  # frees the rest of it
        self._new_books()
        self._books.fill(regrets, sums, values, self._weight, self._now)

    def _interval(self) -> float:
        """Return the iterations of the next round: so many that searches take their share."""
        entries, sequences = self._books.size
        passed = self._iteration - self.last_search
        pace = self._work / passed if self._work else _FIRST_WORK * entries
        work = _ENTRY * entries + _SEQUENCE * sequences + _CALLS
        return max(float(_SHORTEST), float(ceil(work / (_SHARE * max(1.0, pace)))))

    def _search_terms(self) -> Terms:
        return Terms(
            weight=self._weight_of(self._now),
            total_weight=self._weight,
            minimum_skip=self.minimum_skip,
            again=max(1.0, self.policy.restart * self.minimum_skip),
            tolerance=self._tolerance,
            nothing=ROUNDING * self._payoff_range,
        )

    @property
    def nodes_touched(self) -> int | None:
        """None: histories are not counted."""
        return None

    @property
    def nodes_touched_overhead(self) -> int | None:
        """None: histories are not counted."""
        return None

    def cut(self) -> CutSequences:
        """Return what was cut at the last search, and why."""
        return self._books.cut()

    @property
    def next_search(self) -> int:
        """The iteration after which all that is cut is looked at again."""
        return int(self._check)
