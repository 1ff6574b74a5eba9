"""Finds the public states of a game that does not name them.

Histories of one level that share an information set of either player, now or further down, belong
to one public state. Levels are depths, stretched so that every information set lies on a single
one. Where that cannot be (players who may see each other's moves in different orders), the whole
game becomes one public state: slower, never wrong.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from secateur.compiled.histories import NO_INFOSET

Int = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PublicState:
    """Histories that nobody can tell apart in public."""

    members: Int
    """The histories, without ends."""

    infosets: list[int] = field(default_factory=list)
    """Information sets that are decided here."""

    children: list[PublicState] = field(default_factory=list)

    def joined(self, other: PublicState) -> PublicState:
        """Return both as one public state."""
        return PublicState(
            np.concatenate([self.members, other.members]),
            self.infosets + other.infosets,
            self.children + other.children,
        )


def find_public_states(parent: Int, depth: Int, infoset: Int, is_end: Int) -> PublicState:
    """Return the tree of public states of the histories described by the arrays."""
    inner = np.flatnonzero(~is_end)
    if len(inner) == 0:
        return PublicState(inner)
    level = _levels(parent, depth, infoset, inner)
    if level is None:
        decided = np.unique(infoset[infoset != NO_INFOSET])
        return PublicState(inner, decided.tolist())
    # A history waits on all levels between its parent's and its own.
    since = np.where(parent >= 0, level[parent] + 1, 0)
    below: list[PublicState] = []
    for k in range(int(level[inner].max()), -1, -1):
        here = inner[(since[inner] <= k) & (level[inner] >= k)]
        # those below, as seen from this level: the history that still waits, or the parent
        above = [
            np.where(since[state.members] <= k, state.members, parent[state.members])
            for state in below
        ]
        group = _connected(here, np.where(level[here] == k, infoset[here], NO_INFOSET), above)
        states = _states_by_group(here, group, level, infoset, k)
        place = np.zeros(len(parent), np.int64)
        place[here] = group
        for state, seen in zip(below, above, strict=True):
            states[place[seen[0]]].children.append(state)
        below = states
    (root,) = below
    return root


def _levels(parent: Int, depth: Int, infoset: Int, inner: Int) -> Int | None:
    """Return a level for each history, later than its parent's, equal within information sets."""
    decided = inner[infoset[inner] != NO_INFOSET]
    shallowest = np.full(infoset.max(initial=-1) + 1, np.iinfo(np.int64).max)
    deepest = np.zeros_like(shallowest)
    np.minimum.at(shallowest, infoset[decided], depth[decided])
    np.maximum.at(deepest, infoset[decided], depth[decided])
    if (shallowest == deepest).all():
        return depth
    return _longest_paths(parent, infoset, inner, len(shallowest))


def _longest_paths(parent: Int, infoset: Int, inner: Int, infosets: int) -> Int | None:
    """Return levels as longest paths when information sets are single nodes; None on a cycle."""
    node = np.where(infoset == NO_INFOSET, infosets + np.arange(len(infoset)), infoset).tolist()
    successors: dict[int, list[int]] = {}
    waiting: dict[int, int] = {node[h]: 0 for h in inner.tolist()}
    for history in inner.tolist():
        if parent[history] >= 0:
            successors.setdefault(node[parent[history]], []).append(node[history])
            waiting[node[history]] += 1
    level = dict.fromkeys(waiting, 0)
    ready = deque(n for n, count in waiting.items() if count == 0)
    done = 0
    while ready:
        n = ready.popleft()
        done += 1
        for successor in successors.get(n, ()):
            level[successor] = max(level[successor], level[n] + 1)
            waiting[successor] -= 1
            if waiting[successor] == 0:
                ready.append(successor)
    if done < len(waiting):
        return None
    levels = np.zeros(len(infoset), np.int64)
    levels[inner] = [level[node[h]] for h in inner.tolist()]
    return levels


def _connected(here: Int, infoset: Int, above: list[Int]) -> Int:
    """Group histories that share an information set or a public state further down.

    Groups are numbered in the order of their first history.
    """
    place = {history: number for number, history in enumerate(here.tolist())}
    count = len(here)
    infosets, infoset_number = np.unique(infoset, return_inverse=True)
    decided = np.flatnonzero(infoset != NO_INFOSET)
    left = [decided]
    right = [count + infoset_number[decided]]
    for number, seen in enumerate(above):
        members = np.unique(seen)
        left.append(np.array([place[history] for history in members.tolist()], np.int64))
        right.append(np.full(len(members), count + len(infosets) + number))
    edges = (np.concatenate(left), np.concatenate(right))
    nodes = count + len(infosets) + len(above)
    graph = coo_array((np.ones(len(edges[0]), np.int8), edges), shape=(nodes, nodes))
    _, component = connected_components(graph, directed=False)
    _, first, group = np.unique(component[:count], return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[group]


def _states_by_group(here: Int, group: Int, level: Int, infoset: Int, k: int) -> list[PublicState]:
    order = np.argsort(group, kind="stable")
    ends = np.cumsum(np.bincount(group))
    states = []
    for members in np.split(here[order], ends[:-1]):
        decided = members[(level[members] == k) & (infoset[members] != NO_INFOSET)]
        states.append(PublicState(members, list(dict.fromkeys(infoset[decided].tolist()))))
    return states
