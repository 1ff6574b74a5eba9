"""What the page gets: plain values, ready for JSON, of what the Python API returns.

Numbers are passed on as they are; how they are rounded is the page's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.conditions import Snapshot
from secateur.errors import ParameterError
from secateur.explore.opened import Opened
from secateur.explore.sources import Source
from secateur.games.holdem.cards import kind_of
from secateur.node_tables import NodeTable, largest_differences, node_table
from secateur.public_tree import Branch, PublicNode

Float = npt.NDArray[np.float64]
Long = npt.NDArray[np.int64]
Payload = dict[str, Any]

MOST_ROWS = 500
MOST_BRANCHES = 200
SHOWN_TABLES = 6
SORTS = ("", "label", "reach", "value", "lost", "difference")
GROUPS = ("", "play", "word")


class View(NamedTuple):
    """Which rows of a table are wanted, and how."""

    offset: int = 0
    limit: int = 50
    sort: str = ""
    """One of SORTS, or ``action`` and a number; nothing for the order of the game."""

    descending: bool = False
    search: str = ""
    reached: bool = False
    """Leave out information sets without weight."""

    group: str = ""
    """One of GROUPS: what rows have in common."""

    only: str = ""
    """One of these groups."""


def source_payload(number: int, source: Source) -> Payload:
    """Return what a source is and how far it is; whatever goes wrong is told in its place."""
    found: Payload = {"id": number, "title": source.title, "kind": source.kind}
    try:
        found |= source.facts()
        found["error"] = None
    except Exception as error:
        found["error"] = str(error) or type(error).__name__
    return found | {
        "strategy": source.status,
        "version": source.version,
        "failure": source.failure,
    }


def history_payload(history: Sequence[Snapshot]) -> Payload:
    """Return snapshots as columns."""
    return {name: [getattr(each, name) for each in history] for name in Snapshot._fields}


def strategy_payload(opened: Opened) -> Payload:
    """Return what a strategy is of."""
    game = opened.strategy.game
    return {
        "game": str(game),
        "start": opened.tree.start,
        "information_sets": int(game.arrays.lanes.sum(dtype=np.int64)),
        "iteration": opened.iteration,
        "note": opened.note,
        "complete": opened.complete,
        "has_values": opened.values is not None,
    }


def node_payload(opened: Opened, number: int, view: View, other: Opened | None = None) -> Payload:
    """Return a node: the line that leads there, tables, and where one can go on."""
    line = opened.tree.line(number)
    node = line[-1]
    return {
        "node": node.number,
        "line": [step._asdict() for step in opened.tree.steps(line)],
        "tables": [
            table_payload(opened, blocks, view, other) for blocks in node.tables[:SHOWN_TABLES]
        ],
        "more_tables": [
            {"block": blocks[0], **_who(opened, blocks)} for blocks in node.tables[SHOWN_TABLES:]
        ],
        **branches_payload(node),
    }


def branches_payload(
    node: PublicNode, offset: int = 0, limit: int = 60, search: str = ""
) -> Payload:
    """Return some of the ways on from a node."""
    wanted = search.casefold()
    found = [each for each in node.branches if wanted in each.words.casefold()]
    return {
        "branches": [_branch(node, each) for each in found[offset : offset + limit]],
        "branches_total": len(found),
        "branches_offset": offset,
    }


def _branch(node: PublicNode, branch: Branch) -> Payload:
    tables = {block: blocks[0] for blocks in node.tables for block in blocks}
    moves = [{"table": tables[move.block], "action": move.action} for move in branch.moves]
    return {"node": branch.node, "words": branch.words, "moves": moves}


def table_of_block(opened: Opened, block: int) -> tuple[int, ...]:
    """Return the blocks of the table that a block belongs to.

    Raises
    ------
    ParameterError
        If the game has no such block.
    """
    if not 1 <= block < len(opened.strategy.game.arrays.player):
        raise ParameterError(f"table {block}: {opened.strategy.game} has no such block.")
    node = opened.tree.node(opened.tree.node_of(block))
    return next(blocks for blocks in node.tables if block in blocks)


def table_payload(
    opened: Opened, blocks: tuple[int, ...], view: View, other: Opened | None = None
) -> Payload:
    """Return the rows of a table that are wanted, and what all of them together do.

    How often they come about is not told before the strategy is complete.
    """
    table = node_table(opened.strategy, blocks, opened.values)
    theirs = None if other is None else node_table(other.strategy, blocks, other.values)
    game = opened.strategy.game
    weight = _weight(table)
    share = weight if opened.complete else np.zeros(len(weight))
    matching = _matching(opened, table, weight, view)
    groups, keys = _groups(opened, table, share, matching, view.group)
    if view.only and keys:
        matching = np.array([k for k in matching if keys[k] == view.only], np.int64)
    order = _ordered(opened, table, theirs, weight, matching, view)
    shown = order[view.offset : view.offset + view.limit].tolist()
    actions = table.actions(game, 0)
    return {
        "block": blocks[0],
        **_who(opened, blocks),
        "actions": list(actions),
        "total": len(table.places),
        "matching": len(matching),
        "offset": view.offset,
        "limit": view.limit,
        "complete": opened.complete and (other is None or other.complete),
        "groups": groups,
        "all": _together(table, share, np.arange(len(table.places))),
        "all_other": None
        if theirs is None
        else _together(theirs, _weight(theirs), np.arange(len(theirs.places))),
        "cut": _cut_shares(opened, table),
        "rows": [_row(opened, table, theirs, actions, k) for k in shown],
    }


def _who(opened: Opened, blocks: tuple[int, ...]) -> Payload:
    player = int(opened.strategy.game.arrays.player[blocks[0]])
    return {"player": player, "player_name": opened.strategy.game.players[player]}


def _weight(table: NodeTable) -> Float:
    """Return how likely each information set is when all follow the strategy."""
    return table.own_reach if table.reach is None else table.own_reach * table.reach


def _matching(opened: Opened, table: NodeTable, weight: Float, view: View) -> Long:
    found = np.arange(len(table.places))
    if view.reached:
        found = found[weight > 0.0]
    if view.search:
        wanted, game = view.search.casefold(), opened.strategy.game
        named = (k for k in found.tolist() if wanted in table.label(game, k).casefold())
        found = np.fromiter(named, np.int64)
    return found


def _groups(
    opened: Opened, table: NodeTable, weight: Float, matching: Long, by: str
) -> tuple[list[Payload], dict[int, str]]:
    """Return what groups do together, and the group of each row."""
    if not by:
        return [], {}
    game = opened.strategy.game
    if by == "play":
        best = table.probability.argmax(axis=0)
        keys = {int(k): table.actions(game, k)[best[k]] for k in matching}
    else:
        words = ((int(k), (table.label(game, k).split() or [""])[0]) for k in matching)
        keys = {k: kind_of(word) or word for k, word in words}
    members: dict[str, list[int]] = {}
    for k, key in keys.items():
        members.setdefault(key, []).append(k)
    found = [
        {"key": key, "count": len(some), **_together(table, weight, np.array(some))}
        for key, some in members.items()
    ]
    return found[:MOST_ROWS], keys


def _together(table: NodeTable, weight: Float, some: Long) -> Payload:
    """Return what information sets do on average, each as often as it comes about."""
    total = float(weight[some].sum())
    if total == 0.0:
        return {"weight": 0.0, "p": None, "ev": None}
    shares = weight[some] / total
    expected = None
    if table.expected is not None:
        known = shares > 0.0
        expected = float((shares[known] * table.expected[some][known]).sum())
    return {
        "weight": total,
        "p": (table.probability[:, some] @ shares).tolist(),
        "ev": expected,
    }


def _ordered(
    opened: Opened,
    table: NodeTable,
    theirs: NodeTable | None,
    weight: Float,
    some: Long,
    view: View,
) -> Long:
    if not view.sort:
        return some[::-1] if view.descending else some
    if view.sort == "label":
        game = opened.strategy.game
        labels = sorted(some.tolist(), key=lambda k: table.label(game, k))
        return np.array(labels[::-1] if view.descending else labels, np.int64)
    key = _sort_key(table, theirs, weight, view.sort)[some]
    key = np.where(np.isnan(key), -np.inf if view.descending else np.inf, key)
    return some[np.argsort(-key if view.descending else key, kind="stable")]


def _sort_key(table: NodeTable, theirs: NodeTable | None, weight: Float, sort: str) -> Float:
    nothing = np.full(len(table.places), np.nan)
    if sort.startswith("action"):
        action = int(sort.removeprefix("action"))
        return table.probability[action] if action < len(table.probability) else nothing
    if sort == "reach":
        return weight
    if sort == "value":
        return nothing if table.expected is None else table.expected
    if sort == "lost":
        return nothing if table.loss is None else (table.probability * table.loss).sum(axis=0)
    if theirs is None:
        return nothing
    apart: Float = 0.5 * np.abs(table.probability - theirs.probability).sum(axis=0)
    return apart


def _row(
    opened: Opened,
    table: NodeTable,
    theirs: NodeTable | None,
    actions: tuple[str, ...],
    place: int,
) -> Payload:
    game = opened.strategy.game
    block, lane = table.places[place]
    own = table.actions(game, place)
    found: Payload = {
        "label": table.label(game, place),
        "public": game.labels.suffix(block),
        "block": block,
        "lane": lane,
        "p": table.probability[:, place].tolist(),
        "own_reach": float(table.own_reach[place]),
    }
    if own != actions:
        found["actions"] = list(own)
    if table.value is not None and table.loss is not None:
        assert table.reach is not None
        assert table.expected is not None
        found |= {
            "value": table.value[:, place].tolist(),
            "loss": table.loss[:, place].tolist(),
            "ev": float(table.expected[place]),
            "reach": float(table.reach[place]),
        }
    if theirs is not None:
        found["other"] = {
            "p": theirs.probability[:, place].tolist(),
            "ev": None if theirs.expected is None else float(theirs.expected[place]),
        }
    if opened.cuts is not None:
        found["cuts"] = {
            str(action): cut_payload(opened, cut)
            for action, cut in enumerate(opened.cut_of_cell[table.cells[:, place]].tolist())
            if cut >= 0
        }
        infoset = int(game.arrays.first_infoset[block]) + lane
        found["behind"] = bool(opened.behind_cuts[infoset])
    return found


def _cut_shares(opened: Opened, table: NodeTable) -> list[float] | None:
    """Return for each action the share of information sets that have cut it."""
    if opened.cuts is None:
        return None
    shares: list[float] = (opened.cut_of_cell[table.cells] >= 0).mean(axis=1).tolist()
    return shares


def cut_payload(opened: Opened, place: int) -> Payload:
    """Return why an action is cut."""
    assert opened.cuts is not None
    cell, since, earned, at_most, again = (part[place] for part in opened.cuts)
    return {
        "since": int(since) or None,
        "earned": float(earned),
        "at_most": float(at_most),
        "again": float(again) if np.isfinite(again) else None,
        "histories": int(opened.own_tree.histories[cell]),
    }


def cuts_payload(opened: Opened, offset: int, limit: int, sort: str) -> Payload:
    """Return cut actions, those with the most histories behind them first, or the oldest."""
    found = opened.cuts
    if found is None:
        nothing = {"total": 0, "offset": offset, "cuts": [], "dated": False}
        return nothing | {"histories": 0, "histories_all": 0}
    histories = opened.own_tree.histories
    keys = {
        "histories": -histories[found.cell],
        "since": found.since,
        "again": found.again,
        "margin": found.at_most - found.earned,
    }
    order = np.argsort(keys[sort], kind="stable")[offset : offset + limit]
    return {
        "total": len(found.cell),
        "offset": offset,
        "dated": bool(found.since.any()),
        "histories": int(histories[found.cell].sum()),
        "histories_all": 2 * opened.strategy.game.size.histories,
        "cuts": [_listed_cut(opened, int(place)) for place in order],
    }


def _listed_cut(opened: Opened, place: int) -> Payload:
    assert opened.cuts is not None
    game = opened.strategy.game
    cell = int(opened.cuts.cell[place])
    a = game.arrays
    block = int(np.searchsorted(a.first_cell[1:], cell, side="right"))
    action, lane = divmod(cell - int(a.first_cell[block]), int(a.lanes[block]))
    return {
        "node": opened.tree.node_of(block),
        "player": int(a.player[block]),
        "label": game.labels.label(block, lane),
        "action": game.labels.actions(block, lane)[action],
        **cut_payload(opened, place),
    }


def differences_payload(opened: Opened, other: Opened, most: int) -> Payload:
    """Return where two strategies differ most.

    Raises
    ------
    ParameterError
        If they are of different games.
    """
    check_comparable(opened, other)
    game = opened.strategy.game
    found = []
    for each in largest_differences(opened.strategy, other.strategy, opened.values, most):
        number = opened.tree.node_of(each.block)
        steps = opened.tree.steps(opened.tree.line(number))
        found.append(
            {
                "node": number,
                "words": [step.words for step in steps[1:]],
                "player": int(game.arrays.player[each.block]),
                "label": game.labels.label(each.block, 0),
                "amount": each.amount,
                "largest": each.largest,
            }
        )
    return {"differences": found}


def check_comparable(opened: Opened, other: Opened) -> None:
    """Raise ParameterError unless two strategies are of one game."""
    mine, theirs = opened.strategy.game, other.strategy.game
    if mine.strategy_fingerprint != theirs.strategy_fingerprint:
        raise ParameterError(
            f"{mine} and {theirs} cannot be compared: they have other information sets or actions."
        )
