"""Strategies as policies of OpenSpiel, in memory or in a JSON file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Raw

from secateur import checks
from secateur.errors import FileError, GameError, ParameterError
from secateur.games.open_spiel import OpenSpielGame, pyspiel_module
from secateur.schema import Count, MalformedError, decoded, shortened
from secateur.strategy import Strategy, checked_strategy
from secateur.strategy_files.checked_json import (
    check_format,
    head_lines,
    read_checked,
    write_checked,
)
from secateur.strategy_files.identity import check_probabilities

FORMAT = "secateur policy for OpenSpiel"
VERSION = 1
_WHAT = "a policy for OpenSpiel"
_REMEDY = "write one with export_open_spiel()"
_LARGEST = 1 << 30
"""Bytes of a file; OpenSpiel itself takes many times as much for such a policy."""

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
    if not isinstance(source, Strategy):
        source = checks.path(f"to_open_spiel_policy({checks.shown(source)})", source)
    table = _table(source) if isinstance(source, Strategy) else _read(source)
    return pyspiel_module().TabularPolicy(table)


def export_open_spiel(strategy: Strategy, path: str | Path) -> None:
    """Write a strategy of a game that came from OpenSpiel as a JSON file.

    ``policy`` maps information states to pairs of action number and probability; ``game`` is the
    string for ``pyspiel.load_game_as_turn_based``.
    """
    table = _table(checked_strategy("export_open_spiel", strategy))
    path = checks.path(f"export_open_spiel(strategy, {checks.shown(path)})", path)
    head = {"format": FORMAT, "version": VERSION, "game": strategy.game.parameters["game"]}
    remarks = {key: value for key, value in strategy.remarks.items() if key != "policy"}
    write_checked(path, _lines(head_lines(path, {**remarks, **head}), table))


def _lines(top: list[str], table: Table) -> Iterator[str]:
    yield from top
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
    content = read_checked(path, _WHAT, _REMEDY, _LARGEST)
    check_format(path, content, FORMAT, VERSION, _WHAT, _REMEDY)
    try:
        table = decoded(content.get("policy", Raw(b"null")), dict[str, list[tuple[Count, float]]])
    except MalformedError as error:
        raise FileError(
            f"{path}: 'policy' must map information states to pairs of action and probability "
            f"({error})."
        ) from error
    for text, played in table.items():
        where = f"{path}, information state {shortened(text)!r}"
        check_probabilities(where, [probability for _, probability in played])
    return table
