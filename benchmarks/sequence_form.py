"""The sequence form of a game, and the judge of all solvers: value and NashConv of a strategy.

Built from the rules alone and evaluated with numpy alone, so that it judges secateur and its
peers by the same independent measure, in any interpreter: a saved form needs no secateur to load.

A player's *sequences* are numbered: 0 is the empty one, then come the actions of each
information set in order of first visit. A *plan* gives each sequence the probability that the
player makes all its moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy import sparse

if TYPE_CHECKING:
    from secateur.games.rules import Game

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Decisions:
    """One player's information sets, in order of first visit, so parents come first."""

    sizes: Integers
    """Number of actions of each information set."""

    parents: Integers
    """The sequence that leads to each information set."""

    @cached_property
    def first(self) -> Integers:
        """First sequence of each information set."""
        return 1 + np.cumsum(self.sizes) - self.sizes

    @cached_property
    def sequences(self) -> int:
        """Number of sequences, the empty one included."""
        return 1 + int(self.sizes.sum())

    @cached_property
    def owners(self) -> Integers:
        """Information set of each sequence but the empty one."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @cached_property
    def levels(self) -> list[Integers]:
        """Information sets by the number of own decisions before them."""
        depth = np.zeros(len(self.sizes), dtype=np.int64)
        for number, parent in enumerate(self.parents):
            if parent:
                depth[number] = depth[self.owners[parent - 1]] + 1
        return [np.flatnonzero(depth == level) for level in range(depth.max(initial=-1) + 1)]

    def members(self, sets: Integers) -> tuple[Integers, Integers]:
        """Return the sequences of some information sets, and where each set starts among them."""
        sizes = self.sizes[sets]
        starts = np.cumsum(sizes) - sizes
        offsets = np.arange(sizes.sum()) - np.repeat(starts, sizes)
        return np.repeat(self.first[sets], sizes) + offsets, starts

    def plan(self, behavior: Floats) -> Floats:
        """Turn probabilities of actions, set after set, into a plan."""
        plan = np.concatenate([[1.0], behavior])
        for sets in self.levels:
            sequences, _ = self.members(sets)
            plan[sequences] *= np.repeat(plan[self.parents[sets]], self.sizes[sets])
        return plan

    def best_response(self, gains: Floats) -> float:
        """Return the most a player can win where each sequence gains so much."""
        values = gains.copy()
        for sets in reversed(self.levels):
            sequences, starts = self.members(sets)
            best = np.maximum.reduceat(values[sequences], starts)
            values += np.bincount(self.parents[sets], weights=best, minlength=len(values))
        return float(values[0])


@dataclass(frozen=True)
class SequenceForm:
    """Payoffs to player 0 by pair of sequences, chance included, and both players' decisions."""

    payoffs: sparse.csr_array
    decisions: tuple[Decisions, Decisions]
    histories: int

    @cached_property
    def _transposed(self) -> sparse.csr_array:
        return self.payoffs.T.tocsr()

    def value(self, plans: tuple[Floats, Floats]) -> float:
        """Return what player 0 wins on average."""
        return float(plans[0] @ (self.payoffs @ plans[1]))

    def nash_conv(self, plans: tuple[Floats, Floats]) -> float:
        """Return how much both players together can gain by a best response."""
        first = self.decisions[0].best_response(self.payoffs @ plans[1])
        second = self.decisions[1].best_response(-(self._transposed @ plans[0]))
        return first + second

    def save(self, path: Path) -> None:
        """Write the form as a numpy archive."""
        arrays = {
            f"{field}{player}": getattr(decisions, field)
            for player, decisions in enumerate(self.decisions)
            for field in ("sizes", "parents")
        }
        entries = self.payoffs.tocoo()
        np.savez(
            path,
            rows=entries.row,
            columns=entries.col,
            payoffs=entries.data,
            histories=self.histories,
            **arrays,
        )

    @classmethod
    def load(cls, path: Path) -> SequenceForm:
        """Read what :meth:`save` wrote."""
        with np.load(path) as archive:
            first, second = (
                Decisions(archive[f"sizes{player}"], archive[f"parents{player}"])
                for player in (0, 1)
            )
            shape = first.sequences, second.sequences
            entries = archive["payoffs"], (archive["rows"], archive["columns"])
            payoffs = sparse.csr_array(entries, shape=shape)
            return cls(payoffs, (first, second), int(archive["histories"]))


def sequence_form(game: Game) -> SequenceForm:
    """Derive the sequence form from the rules."""
    from benchmarks.tree import walk
    from secateur.games.rules import CHANCE, END

    sizes: tuple[list[int], list[int]] = ([], [])
    parents: tuple[list[int], list[int]] = ([], [])
    firsts: tuple[list[int], list[int]] = ([], [])
    totals = [1, 1]
    entries: dict[tuple[int, int], float] = {}
    histories = 0
    arriving = {0: (0, 0, 1.0)}
    for node in walk(game):
        histories += 1
        *last, chance = arriving.pop(node.number)
        if node.turn == END:
            pair = last[0], last[1]
            entries[pair] = entries.get(pair, 0.0) + chance * node.payoffs[0]
        elif node.turn == CHANCE:
            for child, probability in zip(node.children, node.probabilities, strict=True):
                arriving[child] = last[0], last[1], chance * probability
        else:
            player = node.turn
            if node.information_set == len(sizes[player]):
                sizes[player].append(len(node.children))
                parents[player].append(last[player])
                firsts[player].append(totals[player])
                totals[player] += len(node.children)
            if parents[player][node.information_set] != last[player]:
                raise ValueError(f"player {player} forgets: information set {node.label}")
            first = firsts[player][node.information_set]
            for offset, child in enumerate(node.children):
                last[player] = first + offset
                arriving[child] = last[0], last[1], chance
    decisions = tuple(
        Decisions(np.array(sizes[player], np.int64), np.array(parents[player], np.int64))
        for player in (0, 1)
    )
    pairs = np.array(list(entries), dtype=np.int64)
    values = np.array(list(entries.values()))
    payoffs = sparse.csr_array((values, (pairs[:, 0], pairs[:, 1])), shape=tuple(totals))
    return SequenceForm(payoffs, decisions, histories)
