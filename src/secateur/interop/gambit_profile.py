"""Strategies as Gambit's behavior profiles.

A profile is one line of probabilities with commas between: by player, by information set in the
order in which a walk through the tree meets them first, by action. Gambit's programs print it with
``NE,`` in front and read it, as a starting point, without.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import numpy as np

from secateur import checks
from secateur.atomic import new_file
from secateur.compiled.game import CompiledGame, InformationSet, checked_game
from secateur.errors import FileError
from secateur.games.gambit.labels import shortened
from secateur.games.gambit.nodes import nodes
from secateur.games.gambit.numbers import decimals, parsed
from secateur.games.rules import Game
from secateur.regular_files import begins_with, read_regular
from secateur.strategy import Strategy, checked_strategy

_A_GAME = checks.instance_of(Game, "pass the rules of the game, such as secateur.load('kuhn')")
_DECIMALS = 17
_SNIFFED = 64
_LARGEST_HEAD, _PER_PROBABILITY = 1 << 20, 1024
"""The bytes that a file may have, altogether and for each probability: fractions may be long."""
_BEGINNING = re.compile(rb"\s*(?:NE\s*,|[-+]?[\d.][-+\d.eE/]*\s*,)")


class _Place(NamedTuple):
    """An information set in Gambit's order."""

    player: int
    label: str
    actions: tuple[str, ...]


def write_gambit_profile(strategy: Strategy, rules: Game, path: str | Path) -> None:
    """Write a strategy as a behavior profile of the ``.efg`` file of the same game.

    Parameters
    ----------
    strategy : Strategy
        The strategy of both players.
    rules : Game
        The rules of its game: what was read from the ``.efg`` file, or was written to one.
    path : str or Path
        The file; it appears whole or not at all.
    """
    checked_strategy("write_gambit_profile", strategy)
    _A_GAME(f"write_gambit_profile(strategy, {checks.shown(rules)})", rules)
    path = checks.path(f"write_gambit_profile(strategy, rules, {checks.shown(path)})", path)
    fields: list[str] = []
    for place, infoset in _in_order(strategy.game, rules):
        count = len(place.actions)
        # what chance never reaches is not in the compiled game: any probabilities do
        mine = [1.0 / count] * count if infoset is None else strategy.probabilities[infoset.cells]
        fields += decimals([float(p) for p in mine], _DECIMALS)
    with new_file(path) as file:
        file.write((",".join(fields) + "\n").encode())


def read_gambit_profile(game: CompiledGame, rules: Game, path: str | Path) -> Strategy:
    """Read a behavior profile, with or without ``NE,`` in front.

    Probabilities are fractions or decimals; decimals may be rounded, as Gambit prints them, and
    are brought back to a sum of one.

    Raises
    ------
    FileError
        If the file does not hold exactly one profile of this game.
    """
    game = checked_game("read_gambit_profile", game)
    _A_GAME(f"read_gambit_profile(game, {checks.shown(rules)})", rules)
    path = checks.path(f"read_gambit_profile(game, rules, {checks.shown(path)})", path)
    places = _in_order(game, rules)
    needed = sum(len(place.actions) for place, _ in places)
    fields = _fields(path, needed, game.name)
    if len(fields) != needed:
        raise FileError(
            f"{path} holds {len(fields):,} probabilities, but {game.name} has {needed:,} actions "
            "in all information sets; write a profile of this game."
        )
    probabilities = np.empty(game.cells)
    done = 0
    for place, infoset in places:
        mine = fields[done : done + len(place.actions)]
        where = (
            f"{path}, probabilities {done + 1} to {done + len(mine)} "
            f"(information set {shortened(place.label)} of player {place.player})"
        )
        done += len(mine)
        numbers = _checked(mine, where)
        if infoset is not None:
            probabilities[infoset.cells] = numbers
    return Strategy(game, probabilities)


def is_gambit_profile(path: str | Path) -> bool:
    """Tell whether a file begins like a profile; one that cannot be read does not."""
    return _BEGINNING.match(begins_with(path, _SNIFFED)) is not None


def _in_order(game: CompiledGame, rules: Game) -> list[tuple[_Place, InformationSet | None]]:
    """Return the information sets in Gambit's order, with those of the compiled game."""
    found: tuple[dict[int, _Place], dict[int, _Place]] = ({}, {})
    for node in nodes(rules):
        if node.turn in (0, 1) and node.information_set not in found[node.turn]:
            place = _Place(node.turn, node.known_as, node.actions)
            found[node.turn][node.information_set] = place
    joined: list[tuple[_Place, InformationSet | None]] = []
    for place in (*found[0].values(), *found[1].values()):
        same = (
            each
            for each in game.by_label.get(place.label, ())
            if (each.player, each.actions) == (place.player, place.actions)
        )
        joined.append((place, next(same, None)))
    known = sum(infoset is not None for _, infoset in joined)
    if known != game.size.information_sets:
        checks.refuse(
            f"a behavior profile of {game} by the rules of {rules}",
            f"they have {known:,} information sets in common, the game has "
            f"{game.size.information_sets:,}; pass the rules that the game was compiled from",
        )
    return joined


def _fields(path: str | Path, needed: int, title: str) -> list[str]:
    """Return the probabilities of the only profile in a file, as they are spelled."""
    content = read_regular(path, _LARGEST_HEAD + _PER_PROBABILITY * needed, f"a profile of {title}")
    try:
        lines = content.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise FileError(f"{path} is not a behavior profile ({error}).") from error
    profiles = [line for line in lines if line.strip()]
    if len(profiles) != 1:
        raise FileError(f"{path} holds {len(profiles):,} profiles; keep one line.")
    fields = [field.strip() for field in profiles[0].split(",")]
    return fields[1:] if fields[0] == "NE" else fields


def _checked(fields: list[str], where: str) -> list[float]:
    """Return the probabilities of an information set, which sum to one but for rounding."""
    numbers = []
    allowance = 1e-9
    for field in fields:
        try:
            numbers.append(float(parsed(field)))
            if "." in field:
                allowance += 0.5 * 10.0 ** float(Decimal(field).as_tuple().exponent)
        except (ValueError, ArithmeticError):
            raise FileError(f"{where}: {shortened(field)} is not a probability.") from None
    if not all(0 <= number <= 1 for number in numbers):
        raise FileError(f"{where}: probabilities must be from 0 to 1.")
    total = math.fsum(numbers)
    if abs(total - 1.0) > min(allowance, 0.5):
        raise FileError(f"{where}: probabilities sum to {total:.9g}; they must sum to 1.")
    return [number / total for number in numbers]
