"""Kuhn and Leduc poker of OpenSpiel, described in our labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pyspiel
from open_spiel.python.policy import TabularPolicy

FOLD, CALL, RAISE = range(3)


@dataclass(frozen=True)
class Place:
    """An information state of OpenSpiel: which of ours it is, and how its actions are called."""

    player: int
    label: str
    actions: dict[int, str]
    """Our name of each legal action."""


def places(name: str) -> dict[str, Place]:
    """Return every information state of ``kuhn_poker`` or ``leduc_poker``."""
    found: dict[str, Place] = {}

    def visit(state: pyspiel.State) -> None:
        if state.is_terminal():
            return
        if not state.is_chance_node():
            place = _kuhn_place(state) if name == "kuhn_poker" else _leduc_place(state)
            assert found.setdefault(state.information_state_string(), place) == place
        for action in state.legal_actions():
            visit(state.child(action))

    visit(pyspiel.load_game(name).new_initial_state())
    return found


def _kuhn_place(state: pyspiel.State) -> Place:
    cards, moves = state.history()[:2], state.history()[2:]
    events, facing = [], False
    for move in moves:
        events.append("bet" if move else "check")
        facing = bool(move)
    player = state.current_player()
    names = {0: "fold", 1: "call"} if facing else {0: "check", 1: "bet"}
    return Place(player, " ".join(["JQK"[cards[player]], *events]), names)


def _leduc_place(state: pyspiel.State) -> Place:
    history = state.history()
    cards, moves = history[:2], history[2:]
    events: list[str] = []
    bets, size, checked, number = 0, 2, False, 0
    while number < len(moves):
        move = moves[number]
        if move == CALL and (bets or checked):
            events.append("call" if bets else "check")
            if number + 1 < len(moves):
                events += ["|", "JQK"[moves[number + 1] // 2]]
            bets, size, checked = 0, 4, False
            number += 2
            continue
        events.append("check" if move == CALL else f"{'raise' if bets else 'bet'}{size}")
        checked = move == CALL
        bets += move == RAISE
        number += 1
    names = {FOLD: "fold", CALL: "call", RAISE: f"raise{size}"}
    if not bets:
        names = {CALL: "check", RAISE: f"bet{size}"}
    player = state.current_player()
    label = " ".join(["JQK"[cards[player] // 2], *events])
    return Place(player, label, {action: names[action] for action in state.legal_actions()})


def as_policy(name: str, strategy: Mapping[tuple[int, str], Mapping[str, float]]) -> TabularPolicy:
    """Return probabilities by player and label as a policy of OpenSpiel."""
    policy = TabularPolicy(pyspiel.load_game(name))
    table = places(name)
    assert set(policy.state_lookup) == set(table)
    for key, place in table.items():
        probabilities = strategy[place.player, place.label]
        row = policy.policy_for_key(key)
        row[:] = 0.0
        for action, ours in place.actions.items():
            row[action] = probabilities[ours]
    return policy
