"""Writes any game as an ``.efg`` file that Gambit reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from secateur import checks
from secateur.atomic import new_file
from secateur.games.gambit.game import GambitGame
from secateur.games.gambit.labels import distinct, tidy
from secateur.games.gambit.nodes import Node, nodes
from secateur.games.gambit.numbers import chances, written
from secateur.games.rules import CHANCE, END, Game


def write_efg(game: Game, path: str | Path) -> None:
    """Write a game in Gambit's extensive-form format, version 2.

    The file appears whole or not at all. Probabilities sum to exactly one, as Gambit demands, and
    payoffs are those of the rules; a game that was read from an ``.efg`` file keeps its title,
    players, comment, names, and payoffs inside the tree.
    """
    checks.instance_of(Game, "pass the rules of a game, such as secateur.load('kuhn')")(
        f"write_efg({checks.shown(game)}, path)", game
    )
    path = checks.path(f"write_efg(game, {checks.shown(path)})", path)
    with new_file(path) as file:
        for line in efg_lines(game):
            file.write(line.encode("utf-8", "replace"))


def efg_lines(game: Game) -> Iterator[str]:
    """Yield the lines of the file."""
    title, players, comment = str(game), ("Player 1", "Player 2"), ""
    if isinstance(game, GambitGame):
        title, players, comment = game.tree.title, game.tree.players, game.tree.comment
    names = " ".join(_quoted(name) for name in distinct(map(tidy, players)))
    yield f"EFG 2 R {_quoted(title)} {{ {names} }}\n{_quoted(comment)}\n\n"
    moves = _Moves()
    outcomes = {0: "0"}
    for node in nodes(game):
        outcome = outcomes.get(node.outcome)
        if outcome is None:
            first, second = map(written, node.payoffs)
            outcome = f"{node.outcome} {_quoted(node.outcome_label)} {{ {first}, {second} }}"
            outcomes[node.outcome] = outcome
        if node.turn == END:
            yield f"t {_quoted(node.name)} {outcome}\n"
        elif node.turn == CHANCE:
            yield f"c {_quoted(node.name)} {moves.of(node)} {outcome}\n"
        else:
            yield f"p {_quoted(node.name)} {node.turn + 1} {moves.of(node)} {outcome}\n"


class _Moves:
    """Information sets as they are written, each made once."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], str] = {}
        self._labels: set[tuple[int, str]] = set()

    def of(self, node: Node) -> str:
        """Return number, label and actions of the information set to which a node belongs."""
        key = (node.turn, node.information_set)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._made(node)
        return found

    def _made(self, node: Node) -> str:
        actions = [_quoted(name) for name in distinct(map(_plain, node.actions))]
        if node.turn == CHANCE:
            pairs = zip(actions, chances(node.probabilities), strict=True)
            actions = [f"{name} {probability}" for name, probability in pairs]
        label = _quoted(self._unique(node))
        return f"{node.information_set} {label} {{ {' '.join(actions)} }}"

    def _unique(self, node: Node) -> str:
        """Return a label that no other information set of the player has: Gambit insists."""
        label = first = _plain(node.label)
        number = 0
        while label and (node.turn, label) in self._labels:
            number += 1
            label = f"{first}_{number}"
        self._labels.add((node.turn, label))
        return label


def _plain(label: str) -> str:
    """Return a label without what Gambit cannot read: it has no way to write a backslash."""
    return tidy(label).replace("\\", "/")


def _quoted(text: str) -> str:
    """Return a text between double quotes."""
    plain = text.replace("\\", "/").replace('"', '\\"')
    return f'"{plain}"'
