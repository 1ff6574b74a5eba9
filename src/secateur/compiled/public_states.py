"""Finds the public states of a game that does not name them.

Histories of one level that share an information set of either player, now or further down, belong
to one public state. Levels are depths, stretched so that every information set lies on a single
one. Where that cannot be (players who may see each other's moves in different orders), the whole
game becomes one public state: slower, never wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from secateur.compiled.histories import OVER

Int = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PublicStates:
    """The public states in which somebody decides, and the first one, in preorder.

    Others are left out: what follows them follows the last one before that is not.
    """

    parent: Int
    """Of each state; -1 for the first one, which is 0."""

    depth: Int
    infoset_state: Int
    """Of each information set: the state where it is decided."""

    members: Int
    """Histories without ends, state by state: those that nobody can tell apart in public."""

    first_member: Int
    """Of each state, and one more."""

    ordered: bool
    """Whether information sets of one state never follow each other."""


def find_public_states(parent: Int, depth: Int, infoset: Int, infosets: int) -> PublicStates:
    """Return the public states of the histories described by the arrays."""
    inner = np.flatnonzero(infoset != OVER)
    level = _levels(parent, depth, infoset, inner, infosets) if len(inner) else None
    if level is None:
        return PublicStates(
            parent=np.array([-1]),
            depth=np.zeros(1, np.int64),
            infoset_state=np.zeros(infosets, np.int64),
            members=inner,
            first_member=np.array([0, len(inner)]),
            ordered=False,
        )
    return _in_preorder(_layers(parent, level, infoset, inner, infosets), infosets)


@dataclass(frozen=True)
class _Layer:
    """The public states of one level, in the order of their first histories."""

    states: int
    decided: Int
    """Information sets that are decided here."""

    decided_state: Int
    """And their states."""

    members: Int
    group: Int
    """The state of each member."""

    below: Int
    """For each state of the next level: the state of this one that it follows."""


def _layers(parent: Int, level: Int, infoset: Int, inner: Int, infosets: int) -> list[_Layer]:
    """Find the states of every level, the last one first; return them with the first one first."""
    # A history waits on all levels between its parent's and its own.
    since = np.where(parent >= 0, level[parent] + 1, 0)
    by_level = inner[np.argsort(level[inner], kind="stable")]
    ends = np.searchsorted(level[by_level], np.arange(int(level[inner].max()) + 2))
    waits = bool((since[inner] < level[inner]).any())
    place = np.zeros(len(parent), np.int64)
    latest = np.zeros(infosets, np.int64)
    layers: list[_Layer] = []
    here, group, states = inner[:0], inner[:0], 0
    for k in range(len(ends) - 2, -1, -1):
        mine = by_level[ends[k] : ends[k + 1]]
        # those below, as seen from this level: the history that still waits, or the parent
        seen = np.where(since[here] <= k, here, parent[here])
        below, below_states = group, states
        if waits:
            here = np.sort(np.concatenate([mine, here[since[here] <= k]]))
        else:
            here = mine
        place[here] = np.arange(len(here))
        mine = mine[infoset[mine] >= 0]
        decided = infoset[mine]
        mine, seen = place[mine], place[seen]
        # each is joined with the last one of its kind
        latest[decided] = mine
        last = np.zeros(below_states, np.int64)
        last[below] = seen
        group, states = _connected(
            len(here), np.concatenate([mine, seen]), np.concatenate([latest[decided], last[below]])
        )
        layers.append(
            _Layer(
                states=states,
                decided=decided,
                decided_state=group[mine],
                members=here,
                group=group,
                below=group[last],
            )
        )
    return layers[::-1]


def _connected(count: int, left: Int, right: Int) -> tuple[Int, int]:
    """Return the group of each of ``count`` histories that pairs connect, and how many there are.

    Groups are numbered in the order of their first history.
    """
    apart = left != right
    if not apart.any():
        return np.arange(count), count
    from scipy.sparse import coo_array  # noqa: PLC0415 - takes a quarter of a second to load
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    edges = (left[apart], right[apart])
    graph = coo_array((np.ones(len(edges[0]), np.int8), edges), shape=(count, count))
    groups, component = connected_components(graph, directed=False)
    first = np.zeros(groups, np.int64)
    first[component[::-1]] = np.arange(count)[::-1]
    rank = np.zeros(groups, np.int64)
    rank[np.argsort(first)] = np.arange(groups)
    return rank[component], groups


def _in_preorder(layers: list[_Layer], infosets: int) -> PublicStates:
    """Give numbers to the states in which somebody decides, in preorder of all states."""
    sizes = [np.zeros(0, np.int64)]
    for layer in reversed(layers):
        mine = np.zeros(layer.states, np.int64)
        mine[layer.decided_state] = 1
        if len(sizes) == len(layers):
            mine[0] = 1
        below = np.bincount(layer.below, weights=sizes[-1], minlength=layer.states)
        sizes.append(mine + below.astype(np.int64))
    sizes.reverse()
    infoset_state = np.zeros(infosets, np.int64)
    count = int(sizes[0].sum())
    parent, depth = np.full(count, -1), np.zeros(count, np.int64)
    members, member_states = [], []
    number, last, last_depth = np.zeros(1, np.int64), np.full(1, -1), np.full(1, -1)
    for layer, below_sizes in zip(layers, sizes[1:], strict=True):
        shown = np.zeros(layer.states, np.bool_)
        shown[layer.decided_state] = True
        if layer is layers[0]:
            shown[0] = True
        infoset_state[layer.decided] = number[layer.decided_state]
        parent[number[shown]] = last[shown]
        depth[number[shown]] = last_depth[shown] + 1
        here = shown[layer.group]
        members.append(layer.members[here])
        member_states.append(number[layer.group[here]])
        last, last_depth = np.where(shown, number, last), last_depth + shown
        # children stand behind each other in the order of their first histories
        order = np.argsort(layer.below, kind="stable")
        before = np.cumsum(below_sizes[order]) - below_sizes[order]
        above = layer.below[order]
        fresh = np.ones(len(order), np.bool_)
        fresh[1:] = np.diff(above) != 0
        start = before[fresh][np.cumsum(fresh) - 1]
        following = np.zeros(len(order), np.int64)
        following[order] = (number + shown)[above] + before - start
        number, last, last_depth = following, last[layer.below], last_depth[layer.below]
    state = np.concatenate(member_states)
    order = np.argsort(state, kind="stable")
    return PublicStates(
        parent=parent,
        depth=depth,
        infoset_state=infoset_state,
        members=np.concatenate(members)[order],
        first_member=np.searchsorted(state[order], np.arange(count + 1)),
        ordered=True,
    )


def _levels(parent: Int, depth: Int, infoset: Int, inner: Int, infosets: int) -> Int | None:
    """Return a level for each history, later than its parent's, equal within information sets."""
    decided = inner[infoset[inner] >= 0]
    some_depth = np.zeros(infosets, np.int64)
    some_depth[infoset[decided]] = depth[decided]
    if (some_depth[infoset[decided]] == depth[decided]).all():
        return depth
    return _longest_paths(parent, infoset, inner, infosets)


def _longest_paths(parent: Int, infoset: Int, inner: Int, infosets: int) -> Int | None:
    """Return levels as longest paths when information sets are single nodes; None on a cycle."""
    node = np.where(infoset >= 0, infoset, infosets + np.arange(len(infoset)))
    moves = inner[parent[inner] >= 0]
    source, target = node[parent[moves]], node[moves]
    order = np.argsort(source, kind="stable")
    source, target = source[order], target[order]
    count = infosets + len(infoset)
    waiting = np.bincount(target, minlength=count)
    starts = np.searchsorted(source, np.arange(count + 1))
    level = np.zeros(count, np.int64)
    ready = np.unique(node[inner][waiting[node[inner]] == 0])
    done, round_number = len(ready), 0
    nodes = infosets + np.count_nonzero(infoset[inner] < 0)
    while len(ready):
        level[ready] = round_number
        round_number += 1
        per_node = starts[ready + 1] - starts[ready]
        first = np.repeat(starts[ready] - np.cumsum(per_node) + per_node, per_node)
        following = target[first + np.arange(len(first))]
        np.subtract.at(waiting, following, 1)
        ready = np.unique(following[waiting[following] == 0])
        done += len(ready)
    if done < nodes:
        return None
    levels = np.zeros(len(infoset), np.int64)
    levels[inner] = level[node[inner]]
    return levels
