"""Reads the text of an ``.efg`` file into a tree.

The format is described in Gambit's manual; where that is silent, Gambit's own reader is followed:
commas between payoffs are optional, what has been defined need not be repeated, information sets
and outcomes are known by number, and their names mean nothing.
"""

from __future__ import annotations

from fractions import Fraction

from secateur.games.gambit import numbers
from secateur.games.gambit.labels import distinct, shortened, tidy
from secateur.games.gambit.tokens import END_OF_FILE, MARK, NUMBER, TEXT, WORD, Tokens
from secateur.games.gambit.tree import NONE, InformationSet, Outcome, Tree
from secateur.games.rules import CHANCE, END

_ROUNDING = 1e-9
"""How far decimals may be from a sum of one."""

_LONGEST_INDEX = 18


def parse(text: str, source: str) -> Tree:
    """Return the tree that a text describes; raise FileError where it makes no sense."""
    return _Parser(Tokens(text, source)).run()


class _Parser:
    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.known: dict[tuple[int, int], int] = {}
        self.outcome_of: dict[int, int] = {}

    def run(self) -> Tree:
        self.tree = self.header()
        # the nodes above the next one, each with how many of its actions are still to come
        path: list[list[int]] = []
        while True:
            self.node(path[-1][0] if path else NONE)
            node = len(self.tree.turn) - 1
            number = self.tree.information_set[node]
            actions = 0 if number == NONE else len(self.tree.information_sets[number].names)
            if actions:
                path.append([node, actions])
            else:
                while path and path[-1][1] == 1:
                    path.pop()
                if not path:
                    break
                path[-1][1] -= 1
        if self.tokens.kind != END_OF_FILE:
            self.tokens.fail(
                "the tree is complete, but the file goes on; remove what follows, or give an "
                "information set above more actions"
            )
        self.name_information_sets()
        return self.tree

    def header(self) -> Tree:
        tokens = self.tokens
        if tokens.take(WORD, "'EFG', with which every .efg file begins") != "EFG":
            tokens.fail("an .efg file begins with 'EFG'; this is another kind of file", 0)
        at = tokens.start
        if tokens.take(NUMBER, "the version of the format, 2") != "2":
            tokens.fail("only version 2 of the format can be read", at)
        at = tokens.start
        if tokens.take(WORD, "'R' or 'D'") not in ("R", "D"):
            tokens.fail("expected 'R' or 'D' after the version", at)
        title = tokens.take(TEXT, "the title of the game between double quotes")
        at = tokens.start
        tokens.take_mark("{")
        players = []
        while tokens.kind == TEXT:
            players.append(tokens.take(TEXT, ""))
        tokens.take_mark("}")
        if len(players) != 2:
            tokens.fail(
                f"the game has {len(players)} players; only games of two players can be solved", at
            )
        comment = tokens.take(TEXT, "") if tokens.kind == TEXT else ""
        first, second = players
        return Tree(tokens.source, tokens.text, title, (first, second), comment)

    def node(self, parent: int) -> None:
        tokens, tree = self.tokens, self.tree
        start = tokens.start
        if tokens.kind == END_OF_FILE:
            tokens.fail("the file ends, but some actions do not lead to a node yet")
        kind = tokens.take(WORD, "a node: 'c', 'p' or 't'")
        if kind not in ("c", "p", "t"):
            tokens.fail(f"expected a node: 'c', 'p' or 't', found {shortened(kind)}", start)
        name = tokens.take(TEXT, "the name of the node between double quotes")
        turn, information_set = END, NONE
        if kind == "c":
            turn = CHANCE
        elif kind == "p":
            at = tokens.start
            turn = self.index("the number of the player, 1 or 2") - 1
            if turn not in (0, 1):
                tokens.fail(f"there is no player {turn + 1}; choose 1 or 2", at)
        if kind != "t":
            information_set = self.information_set(turn)
        if name:
            tree.names[len(tree.turn)] = name
        outcome = self.outcome()
        tree.turn.append(turn)
        tree.parent.append(parent)
        tree.start.append(start)
        tree.information_set.append(information_set)
        tree.outcome.append(outcome)

    def information_set(self, player: int) -> int:
        """Read the number of an information set and what is said about it; return its place."""
        tokens = self.tokens
        at = tokens.start
        number = self.index("the number of an information set")
        known = self.known.get((player, number))
        if tokens.kind != TEXT:
            if known is None:
                tokens.fail(
                    f"{_called(player, number)} has not been defined yet; write its name and "
                    "its actions behind the number",
                    at,
                )
            return known
        name = tokens.take(TEXT, "")
        actions, probabilities = self.actions(player, number)
        if known is None:
            known = self.known[player, number] = len(self.tree.information_sets)
            self.tree.information_sets.append(
                InformationSet(player, number, name, actions, len(self.tree.turn), probabilities)
            )
            return known
        before = self.tree.information_sets[known]
        for what, differs in (
            ("name", before.name != name),
            ("actions", before.names != actions),
            ("probabilities", before.probabilities != probabilities),
        ):
            if differs:
                tokens.fail(
                    f"{_called(player, number)} has other {what} than where it was defined; "
                    "repeat them as they are, leave them out, or use another number",
                    at,
                )
        return known

    def actions(self, player: int, number: int) -> tuple[tuple[str, ...], tuple[Fraction, ...]]:
        tokens = self.tokens
        opening = tokens.start
        tokens.take_mark("{")
        names: list[str] = []
        probabilities: list[Fraction] = []
        decimals = False
        while not names or (tokens.kind, tokens.value) != (MARK, "}"):
            names.append(tokens.take(TEXT, "the name of an action between double quotes, or '}'"))
            if player == CHANCE:
                at, spelled = tokens.start, tokens.value
                probability = self.number("the probability of the action")
                if probability < 0:
                    tokens.fail(f"the probability {shortened(spelled)} is negative", at)
                probabilities.append(probability)
                decimals |= any(mark in spelled for mark in ".eE")
        tokens.advance()
        if player == CHANCE:
            self.check_sum(probabilities, decimals, number, opening)
        return tuple(names), tuple(probabilities)

    def check_sum(
        self, probabilities: list[Fraction], decimals: bool, number: int, at: int
    ) -> None:
        """Insist on a sum of one: exactly for fractions, but for rounding for decimals."""
        total = Fraction(0)
        for probability in probabilities:
            try:
                total = numbers.added(total, probability)
            except ValueError as error:
                self.tokens.fail(str(error), at)
        if abs(total - 1) > (_ROUNDING if decimals else 0):
            self.tokens.fail(
                f"the probabilities of {_called(CHANCE, number)} sum to {numbers.shown(total)}; "
                "they must sum to 1",
                at,
            )

    def outcome(self) -> int:
        """Read the number of an outcome and what is said about it; return its place."""
        tokens = self.tokens
        at = tokens.start
        number = self.index("the number of an outcome, or 0 for none")
        known = self.outcome_of.get(number)
        if tokens.kind != TEXT:
            if number == 0:
                return NONE
            if known is None:
                tokens.fail(
                    f"outcome {number} has not been defined yet; write its name and its "
                    "payoffs behind the number",
                    at,
                )
            return known
        if number == 0:
            tokens.fail("outcome 0 stands for none and has no payoffs; choose another number", at)
        name = tokens.take(TEXT, "")
        tokens.take_mark("{")
        payoffs = (self.payoff(), self.payoff())
        tokens.take_mark("}")
        if known is None:
            known = self.outcome_of[number] = len(self.tree.outcomes)
            self.tree.outcomes.append(Outcome(number, name, payoffs))
        elif self.tree.outcomes[known] != Outcome(number, name, payoffs):
            tokens.fail(
                f"outcome {number} has another name or other payoffs than where it was defined; "
                "repeat them as they are, leave them out, or use another number",
                at,
            )
        return known

    def payoff(self) -> Fraction:
        at = self.tokens.start
        payoff = self.number("a payoff for each of the two players")
        if not numbers.fits(payoff):
            self.tokens.fail("the payoff is too large for double precision", at)
        if (self.tokens.kind, self.tokens.value) == (MARK, ","):
            self.tokens.advance()
        return payoff

    def number(self, expected: str) -> Fraction:
        at = self.tokens.start
        try:
            return numbers.parsed(self.tokens.take(NUMBER, expected))
        except ValueError as error:
            self.tokens.fail(str(error), at)

    def index(self, expected: str) -> int:
        at = self.tokens.start
        spelled = self.tokens.take(NUMBER, expected)
        digits = spelled.lstrip("+-")
        if not digits.isdigit() or len(digits) > _LONGEST_INDEX:
            self.tokens.fail(f"expected {expected}, found {shortened(spelled)}", at)
        return int(spelled)

    def name_information_sets(self) -> None:
        """Give every information set of a player a label of its own, and every action, too."""
        for player in (CHANCE, 0, 1):
            mine = [each for each in self.tree.information_sets if each.player == player]
            # unnamed ones are called what Gambit calls them: player and position
            labels = distinct(
                tidy(each.name) or f"{player + 1}:{position}"
                for position, each in enumerate(mine, start=1)
            )
            for each, label in zip(mine, labels, strict=True):
                each.label = label
                names = distinct(map(tidy, each.names))
                each.actions = {name: position for position, name in enumerate(names)}


def _called(player: int, number: int) -> str:
    if player == CHANCE:
        return f"chance's information set {number}"
    return f"information set {number} of player {player + 1}"
