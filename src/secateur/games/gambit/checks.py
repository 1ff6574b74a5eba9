"""What a tree must be to be solved: players remember, and one wins what the other loses."""

from __future__ import annotations

from fractions import Fraction
from typing import NoReturn

from secateur.errors import GameError
from secateur.games.gambit import numbers
from secateur.games.gambit.labels import shortened
from secateur.games.gambit.tokens import place
from secateur.games.gambit.tree import NONE, Tree
from secateur.games.rules import CHANCE, END

_ROUNDING = Fraction(1, 10**9)

Totals = list[tuple[Fraction, Fraction]]
"""For each node: what player 0, and what both together, have won on the way to it."""


def total_payoffs(tree: Tree) -> tuple[Totals, Fraction]:
    """Add up the payoffs along every path; return them and the sum that all ends have in common.

    Raises
    ------
    GameError
        If the payoffs of both players have different sums at two ends.
    """
    at_outcome = [(each.payoffs[0], each.payoffs[0] + each.payoffs[1]) for each in tree.outcomes]
    nothing = (Fraction(0), Fraction(0))
    totals: Totals = []
    first_end = NONE
    for node, (parent, outcome) in enumerate(zip(tree.parent, tree.outcome, strict=True)):
        before = nothing if parent == NONE else totals[parent]
        if outcome == NONE:
            here = before
        elif before is nothing:
            here = at_outcome[outcome]
        else:
            here = _added(tree, node, before, at_outcome[outcome])
        totals.append(here)
        if tree.turn[node] == END:
            if first_end == NONE:
                first_end = node
            elif not _same(here[1], totals[first_end][1], here[0]):
                _fail(
                    tree,
                    node,
                    f"{_arrival(tree, node)} the payoffs of the two players add up to "
                    f"{numbers.shown(here[1])}, but at {_place(tree, first_end)} to "
                    f"{numbers.shown(totals[first_end][1])}; only zero-sum games, and games whose "
                    "payoffs have the same sum everywhere, can be solved",
                )
    payoff_sum = totals[first_end][1]
    zero = Fraction(0)
    return totals, zero if _same(payoff_sum, zero, totals[first_end][0]) else payoff_sum


def _same(first: Fraction, second: Fraction, scale: Fraction) -> bool:
    """Compare sums of payoffs, with allowance for payoffs that are rounded decimals."""
    return first == second or abs(first - second) <= _ROUNDING * max(Fraction(1), abs(scale))


def _added(
    tree: Tree, node: int, before: tuple[Fraction, Fraction], here: tuple[Fraction, Fraction]
) -> tuple[Fraction, Fraction]:
    try:
        total = numbers.added(before[0], here[0]), numbers.added(before[1], here[1])
    except ValueError as error:
        _fail(tree, node, str(error))
    if not numbers.fits(total[0]):
        _fail(tree, node, "the payoffs along the path are too large for double precision")
    return total


def check_recall(tree: Tree) -> None:
    """Raise GameError where a player does not remember what it knew or did."""
    # what each player did last: the information set and the position of the action, as one number
    width = 1 + max((len(each.names) for each in tree.information_sets), default=0)
    last: list[tuple[int, int]] = []
    taken: list[int] = []
    came_from: list[int | None] = [None] * len(tree.information_sets)
    for node, (parent, number, turn) in enumerate(
        zip(tree.parent, tree.information_set, tree.turn, strict=True)
    ):
        if parent == NONE:
            here = (NONE, NONE)
        else:
            here = last[parent]
            if tree.turn[parent] != CHANCE:
                move = tree.information_set[parent] * width + taken[parent]
                here = (move, here[1]) if tree.turn[parent] == 0 else (here[0], move)
            taken[parent] += 1
        last.append(here)
        taken.append(0)
        if turn in (0, 1):
            mine = here[turn]
            before = came_from[number]
            if before is None:
                came_from[number] = mine
            elif before != mine:
                known = tree.information_sets[number]
                _fail(
                    tree,
                    node,
                    f"imperfect recall: player {turn + 1} comes to information set {known.number} "
                    f"({shortened(known.label)}) {_after(tree, mine, width)}, but at "
                    f"{_place(tree, known.first)} {_after(tree, before, width)}; give nodes that "
                    "the player can tell apart different information sets, or load the game with "
                    "perfect_recall=True",
                )


def _after(tree: Tree, move: int, width: int) -> str:
    if move == NONE:
        return "without a move before"
    number, position = divmod(move, width)
    known = tree.information_sets[number]
    action = list(known.actions)[position]
    return f"after {shortened(action)} at information set {known.number}"


def _arrival(tree: Tree, node: int) -> str:
    """Return in words by which move a node is reached."""
    parent = tree.parent[node]
    if parent == NONE:
        return "at the start"
    known = tree.information_sets[tree.information_set[parent]]
    position = sum(1 for each in range(parent + 1, node) if tree.parent[each] == parent)
    action = list(known.actions)[position]
    owner = "chance" if known.player == CHANCE else f"player {known.player + 1}"
    return f"after {shortened(action)} at information set {known.number} of {owner}"


def _place(tree: Tree, node: int) -> str:
    return place(tree.text, tree.start[node])


def _fail(tree: Tree, node: int, problem: str) -> NoReturn:
    raise GameError(f"{tree.source}, {_place(tree, node)}: {problem}.")
