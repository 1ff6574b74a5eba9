"""The content of an ``.efg`` file: one number per node and property, so that large files fit."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import numpy.typing as npt

NONE = -1
"""The information set of an end, and the outcome of a node without payoffs."""

Int = npt.NDArray[np.int64]


@dataclass(slots=True)
class InformationSet:
    """An information set of a player, or a chance move that occurs in several places."""

    player: int
    """0, 1, or CHANCE."""

    number: int
    """By which the file knows it."""

    name: str
    """As the file has it; may be empty, and others may have the same."""

    names: tuple[str, ...]
    """Of the actions, as the file has them."""

    first: int
    """The first node that belongs to it."""

    probabilities: tuple[Fraction, ...] = ()
    label: str = ""
    """A name that no other information set of the player has."""

    actions: dict[str, int] = field(default_factory=dict)
    """Distinct names of the actions, with their positions."""


@dataclass(slots=True, frozen=True)
class Outcome:
    """Payoffs that a node adds to what the players win."""

    number: int
    name: str
    payoffs: tuple[Fraction, Fraction]


@dataclass(slots=True)
class Tree:
    """A game in extensive form; nodes are numbered in the order of the file, the root is 0."""

    source: str
    """The path, for messages."""

    text: str
    title: str
    players: tuple[str, str]
    comment: str
    turn: array[int] = field(default_factory=lambda: array("b"))
    """Player 0, player 1, CHANCE or END."""

    parent: array[int] = field(default_factory=lambda: array("q"))
    start: array[int] = field(default_factory=lambda: array("q"))
    """Where each node begins in the text."""

    information_set: array[int] = field(default_factory=lambda: array("q"))
    outcome: array[int] = field(default_factory=lambda: array("q"))
    names: dict[int, str] = field(default_factory=dict)
    """Names of the nodes that have one."""

    information_sets: list[InformationSet] = field(default_factory=list)
    """In the order of their first nodes: the order of Gambit, but for players."""

    outcomes: list[Outcome] = field(default_factory=list)

    def children(self) -> tuple[Int, Int]:
        """Return all nodes by parent, and where the children of each node begin among them."""
        parent = np.asarray(self.parent, np.int64)
        order = np.argsort(parent, kind="stable")
        return order, np.searchsorted(parent[order], np.arange(len(parent)))
