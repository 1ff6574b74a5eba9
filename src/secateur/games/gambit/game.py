"""The rules of a game that an ``.efg`` file describes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from secateur import checks
from secateur.games.gambit.checks import check_recall, total_payoffs
from secateur.games.gambit.labels import tidy
from secateur.games.gambit.numbers import shown
from secateur.games.gambit.parser import parse
from secateur.games.gambit.tree import InformationSet, Tree
from secateur.games.questions import Questions
from secateur.games.rules import PLAYERS, Game
from secateur.regular_files import read_regular

_LARGEST = 1 << 30
"""Bytes of a file; its tree takes many times as much memory."""


class GambitGame(Game):
    """A game from a Gambit file; :func:`read_efg` makes it.

    Player 0 is the file's first player. A state is the number of a node in the order of the file.
    If the payoffs of both players always sum to something other than zero, player 0 wins what the
    file says, and player 1 loses it: that changes neither strategies nor exploitability. The sum
    is then the parameter ``payoff_sum``.
    """

    immutable_states = True

    def __init__(self, tree: Tree, digest: str, *, perfect_recall: bool = True) -> None:
        self.tree = tree
        self.name = tidy(tree.title) or Path(tree.source).stem
        if perfect_recall:
            check_recall(tree)
        self._totals, self.payoff_sum = total_payoffs(tree)
        self._children, self._first_child = tree.children()
        self._digest = digest

    @property
    def parameters(self) -> dict[str, Any]:
        """What tells the file from others of the same title."""
        found = {"digest": self._digest}
        if self.payoff_sum:
            found["payoff_sum"] = shown(self.payoff_sum)
        return found

    @property
    def players(self) -> tuple[str, str]:
        """The names that the file has, if it has two different ones."""
        first, second = map(tidy, self.tree.players)
        return (first, second) if first and second and first != second else PLAYERS

    @property
    def identity(self) -> str:
        """A checksum of the file."""
        return self._digest

    def start(self) -> int:
        """Begin at the root."""
        return 0

    def turn(self, state: int) -> int:
        """Return who moves."""
        return self.tree.turn[state]

    def actions(self, state: int) -> Sequence[str]:
        """Return the names of the actions, made distinct."""
        return tuple(self._information_set(state).actions)

    def chance(self, state: int) -> list[tuple[str, Fraction]]:
        """Return the names of the outcomes, with exact probabilities."""
        here = self._information_set(state)
        return list(zip(here.actions, here.probabilities, strict=True))

    def after(self, state: int, action: str) -> int:
        """Return the node to which an action leads."""
        position = self._information_set(state).actions[action]
        return int(self._children[self._first_child[state] + position])

    def information(self, state: int) -> str:
        """Return the name of the information set, made distinct."""
        return self._information_set(state).label

    def payoffs(self, state: int) -> tuple[Fraction, Fraction]:
        """Return what has been won on the way, all outcomes added up."""
        win = self._totals[state][0]
        return win, -win

    def questions(self) -> Questions:
        """Look answers up in lists; moves are positions among the children."""
        tree = self.tree
        sets = tree.information_sets
        positions = [range(len(each.actions)) for each in sets]
        names = [tuple(each.actions) for each in sets]
        chances = [list(enumerate(each.probabilities)) for each in sets]
        labels = [each.label for each in sets]
        of, children, first = (
            tree.information_set,
            self._children.tolist(),
            self._first_child.tolist(),
        )
        # ends share their outcomes, and Python's fractions take long to become numbers
        known: dict[int, tuple[float, float]] = {}

        def payoffs(state: int) -> tuple[float, float]:
            win = self._totals[state][0]
            found = known.get(id(win))
            if found is None:
                found = known[id(win)] = (float(win), float(-win))
            return found

        return Questions(
            start=self.start,
            turn=tree.turn.__getitem__,
            chance=lambda state: chances[of[state]],
            actions=lambda state: positions[of[state]],
            after=lambda state, position: children[first[state] + position],
            information=lambda state: labels[of[state]],
            payoffs=payoffs,
            names=lambda state, moves: tuple(names[of[state]][k] for k in moves),
        )

    def _information_set(self, state: int) -> InformationSet:
        return self.tree.information_sets[self.tree.information_set[state]]


def read_efg(path: str | Path, *, perfect_recall: bool = True) -> GambitGame:
    """Read a game of two players from a Gambit extensive-form file.

    Parameters
    ----------
    path : str or Path
        The file; UTF-8, or else Latin-1.
    perfect_recall : bool
        Whether to refuse players who forget; if not,
        :func:`~secateur.games.recall.with_perfect_recall` can make them remember.

    Raises
    ------
    FileError
        If the file cannot be read or is not in the format, with line and column.
    GameError
        If the game is not zero-sum or constant-sum or lacks perfect recall, with line and column.
    """
    path = checks.path(f"read_efg({checks.shown(path)})", path)
    content = read_regular(path, _LARGEST, "a Gambit file")
    digest = hashlib.sha256(content).hexdigest()[:16]
    return GambitGame(parse(_decoded(content), str(path)), digest, perfect_recall=perfect_recall)


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")
