"""Write a game for other programs: Gambit's ``.efg`` and LiteEFG's ``.game``.

Both writers stream. ``.game`` lists the members of the information sets at the end, so those
are kept, as numbers.
"""

from __future__ import annotations

from array import array
from typing import TextIO

from benchmarks.tree import walk
from secateur.games.rules import CHANCE, END, Game


def write_efg(game: Game, file: TextIO, *, labels: bool = True) -> None:
    """Write the game in Gambit's extensive-form format, version 2.

    Without ``labels``, information sets are known by number and actions by position. A program
    that looks information sets up by name, as OpenSpiel does, then has the shortest names to hash.
    """
    file.write(f'EFG 2 R {_quoted(str(game))} {{ "Player 1" "Player 2" }}\n""\n\n')
    outcomes: dict[tuple[float, float], int] = {}
    chance_nodes = 0
    for node in walk(game):
        if node.turn == END:
            outcome = outcomes.setdefault(node.payoffs, len(outcomes) + 1)
            first, second = node.payoffs
            file.write(f't "" {outcome} "" {{ {first!r}, {second!r} }}\n')
        elif node.turn == CHANCE:
            chance_nodes += 1
            # Outcomes of chance go by position: OpenSpiel takes two of one name for the same.
            draws = " ".join(
                f'"{position}" {probability!r}'
                for position, probability in enumerate(node.probabilities, start=1)
            )
            file.write(f'c "" {chance_nodes} "" {{ {draws} }} 0\n')
        else:
            names = _distinct(node.actions) if labels else _positions(len(node.actions))
            actions = " ".join(map(_quoted, names))
            label = _quoted(node.label if labels else "")
            place = f"{node.turn + 1} {node.information_set + 1}"
            file.write(f'p "" {place} {label} {{ {actions} }} 0\n')


def write_liteefg(game: Game, file: TextIO) -> None:
    """Write the game in the format that ``LiteEFG.FileEnv`` reads.

    ``i<player>_<number>`` names an information set; the numbers are those of :func:`write_efg`
    less one.
    """
    # The reader parses these comments: with "openspiel", actions are names of histories.
    file.write(f"# {game.name}\n#\n# Opt {{\n#     openspiel,\n#     players: 2,\n# }}\n#\n")
    members: tuple[list[array[int]], list[array[int]]] = ([], [])
    for node in walk(game):
        name = f"node n{node.number}"
        if node.turn == END:
            first, second = node.payoffs
            file.write(f"{name} leaf payoffs 1={first!r} 2={second!r}\n")
        elif node.turn == CHANCE:
            draws = " ".join(
                f"n{child}={probability!r}"
                for child, probability in zip(node.children, node.probabilities, strict=True)
            )
            file.write(f"{name} chance actions {draws}\n")
        else:
            sets = members[node.turn]
            if node.information_set == len(sets):
                sets.append(array("L"))
            sets[node.information_set].append(node.number)
            children = " ".join(f"n{child}" for child in node.children)
            file.write(f"{name} player {node.turn + 1} actions {children}\n")
    for player, sets in enumerate(members):
        for number, histories in enumerate(sets):
            names = " ".join(f"n{history}" for history in histories)
            file.write(f"infoset i{player}_{number} nodes {names}\n")


def _quoted(text: str) -> str:
    """Return the text between double quotes.

    Gambit reads a quote behind a backslash, OpenSpiel does not: an apostrophe serves both.
    """
    plain = " ".join(text.replace("\\", "/").replace('"', "'").split())
    return f'"{plain}"'


def _positions(count: int) -> list[str]:
    return [str(position) for position in range(1, count + 1)]


def _distinct(names: tuple[str, ...]) -> list[str]:
    """Return the names, told apart by their position where quoting makes them equal."""
    if len(set(map(_quoted, names))) == len(names):
        return list(names)
    return [f"{name} #{position}" for position, name in enumerate(names, start=1)]
