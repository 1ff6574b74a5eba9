"""Strategies as policies of OpenSpiel, in memory or in a JSON file."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from secateur.errors import FileError, GameError, ParameterError
from secateur.games.open_spiel import OpenSpielGame, pyspiel_module
from secateur.strategy import Strategy
from secateur.strategy_files.checked_json import check_format, read_checked, write_checked

FORMAT = "secateur policy for OpenSpiel"
VERSION = 1
_WHAT = "a policy for OpenSpiel"
_REMEDY = "write one with 'secateur export --to openspiel'"
_SUM_TOLERANCE = 1e-6

Table = dict[str, list[tuple[int, float]]]
"""For each information state: OpenSpiel's numbers of actions with probabilities."""


def to_open_spiel_policy(source: Strategy | str | Path) -> Any:
    """Return a policy that OpenSpiel's own algorithms accept, in Python and in C++.

    Parameters
    ----------
    source : Strategy, str or Path
        A strategy of a game that came from OpenSpiel, or a file by :func:`export_open_spiel`.

    Returns
    -------
    pyspiel.TabularPolicy
        For the game that ``pyspiel.load_game_as_turn_based`` makes of the string.
    """
    table = _table(source) if isinstance(source, Strategy) else _read(Path(source))
    return pyspiel_module().TabularPolicy(table)


def export_open_spiel(strategy: Strategy, path: str | Path) -> None:
    """Write a strategy of a game that came from OpenSpiel as a JSON file.

    ``policy`` maps information states to pairs of action number and probability; ``game`` is the
    string for ``pyspiel.load_game_as_turn_based``.
    """
    table = _table(strategy)
    head = {"format": FORMAT, "version": VERSION, "game": strategy.game.parameters["game"]}
    remarks = {key: value for key, value in strategy.remarks.items() if key != "policy"}
    write_checked(path, _lines({**remarks, **head}, table))


def _lines(head: dict[str, Any], table: Table) -> Iterator[str]:
    yield "{"
    for key, value in head.items():
        yield f"{json.dumps(key)}: {json.dumps(value)},\n"
    yield '"policy": {\n'
    separator = ""
    for text, played in table.items():
        yield f"{separator}{json.dumps(text)}: {json.dumps(played)}"
        separator = ",\n"
    yield "\n},\n"


def _table(strategy: Strategy) -> Table:
    if strategy.game.name != OpenSpielGame.name:
        raise ParameterError(
            f"{strategy.game} does not come from OpenSpiel, so OpenSpiel has no policy for it; "
            "solve a game such as openspiel:kuhn_poker."
        )
    rules = OpenSpielGame(**strategy.game.parameters)
    table: Table = {}
    player_of: dict[str, int] = {}
    todo = [rules.start()]
    while todo:
        state = todo.pop()
        if state.is_terminal():
            continue
        if state.is_chance_node():
            numbers = [number for number, chance in state.chance_outcomes() if chance > 0.0]
        else:
            numbers = state.legal_actions()
            text, player = rules.information(state), state.current_player()
            if text not in table:
                played = strategy.at(player, text).values()
                table[text] = list(zip(numbers, played, strict=True))
            if player_of.setdefault(text, player) != player:
                raise GameError(f"{rules}: both players have the information state {text!r}.")
        todo += map(state.child, reversed(numbers))
    return table


def _read(path: Path) -> Table:
    content = read_checked(path, _WHAT, _REMEDY)
    check_format(path, content, FORMAT, VERSION, _WHAT, _REMEDY)
    try:
        table = {
            text: [(int(number), float(probability)) for number, probability in played]
            for text, played in content["policy"].items()
        }
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise FileError(
            f"{path}: 'policy' must map information states to pairs of action and probability."
        ) from error
    for text, played in table.items():
        total = math.fsum(probability for _, probability in played)
        if not abs(total - 1.0) <= _SUM_TOLERANCE or any(p < 0.0 for _, p in played):
            raise FileError(f"{path}: probabilities at {text!r} must be 0 or more and sum to 1.")
    return table
