"""Names of information sets and actions, without a Python string for each.

The label of an information set is the prefix of its lane (a hand) followed by the suffix of its
block (what is public). Blocks share their sets of prefixes, information sets their sets of actions,
and blocks the lists that say which set each lane has.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.compiled.columns import pieces
from secateur.compiled.histories import Infosets
from secateur.compiled.ranges import gathered

Bytes = npt.NDArray[np.uint8]
Int = npt.NDArray[np.int32]
Long = npt.NDArray[np.int64]


class LabelArrays(NamedTuple):
    """All names of a game in flat arrays, which can be memory-mapped."""

    suffix_text: Bytes
    suffix_end: Long  # per block
    block_prefixes: Int  # per block: number of a set of prefixes
    prefix_text: Bytes
    prefix_end: Long  # per prefix
    prefix_first: Long  # per set of prefixes
    block_actions: Int  # per block: where its lanes begin in lane_actions
    lane_actions: Int  # numbers of sets of actions, lane by lane
    action_text: Bytes
    action_end: Long  # per action name
    action_first: Long  # per set of actions, and one more

    def label(self, block: int, lane: int) -> str:
        """Return the label of an information set."""
        prefix = int(self.prefix_first[self.block_prefixes[block]]) + lane
        return _text(self.prefix_text, self.prefix_end, prefix) + _text(
            self.suffix_text, self.suffix_end, block
        )

    def suffix(self, block: int) -> str:
        """Return what the labels of a block's information sets end with: what is public."""
        return _text(self.suffix_text, self.suffix_end, block)

    def actions(self, block: int, lane: int) -> tuple[str, ...]:
        """Return the labels of an information set's actions."""
        number = int(self.lane_actions[int(self.block_actions[block]) + lane])
        first, end = int(self.action_first[number]), int(self.action_first[number + 1])
        return tuple(_text(self.action_text, self.action_end, k) for k in range(first, end))

    def action_sets(self, lanes: npt.NDArray[Any]) -> Int:
        """Return the number of each information set's set of actions; blocks have so many lanes."""
        first = self.block_actions.astype(np.int64)
        return self.lane_actions[gathered(first, first + lanes)]

    def longest(self) -> tuple[int, int]:
        """Return the bytes of the longest label and of the longest name of an action."""
        prefix, suffix, action = (
            int(np.diff(ends, prepend=0).max(initial=0))
            for ends in (self.prefix_end, self.suffix_end, self.action_end)
        )
        return prefix + suffix, action


def _text(text: Bytes, ends: Long, number: int) -> str:
    begin = int(ends[number - 1]) if number else 0
    return text[begin : int(ends[number])].tobytes().decode()


class LabelCollector:
    """Gathers names while a game is compiled."""

    def __init__(self) -> None:
        self._suffixes = _Texts()
        self._hashes = array("q")  # of the players' suffixes
        self._next_search = 1 << 10
        self._prefixes = _Texts()
        self._actions = _Texts()
        self._prefix_first = array("q")
        self._action_first = array("q")
        self._block_prefixes = array("i")
        self._block_actions = array("i")
        self._lane_actions = array("i")
        self._lane_lists: dict[tuple[int, ...], int] = {}
        self._prefix_sets: dict[tuple[str, ...], int] = {}
        self._action_sets: dict[tuple[str, ...], int] = {}

    def add_block(
        self,
        player: int,
        prefixes: tuple[str, ...],
        suffix: str,
        actions: Sequence[tuple[str, ...]],
        lanes: int,
    ) -> None:
        """Name the next block; ``actions`` for all lanes at once or for every lane."""
        self._suffixes.add(suffix)
        self._hashes.append(hash((player, suffix)))
        self._block_prefixes.append(
            _set_number(prefixes, self._prefix_sets, self._prefixes, self._prefix_first)
        )
        numbers = tuple(
            _set_number(names, self._action_sets, self._actions, self._action_first)
            for names in actions
        )
        if len(numbers) != lanes:
            numbers *= lanes
        place = self._lane_lists.setdefault(numbers, len(self._lane_actions))
        self._block_actions.append(place)
        if place == len(self._lane_actions):
            self._lane_actions.extend(numbers)

    def repeated(self, *, finished: bool) -> tuple[int, str] | None:
        """Return a player two of whose blocks have the same suffix, and that, if there is one.

        It is searched for whenever there are twice as many blocks as before, and at the end.
        """
        if len(self._hashes) < self._next_search and not finished:
            return None
        self._next_search = 2 * len(self._hashes)
        hashes = np.frombuffer(self._hashes, np.int64)
        in_order = np.sort(hashes)
        again = in_order[1:][in_order[1:] == in_order[:-1]]
        del in_order
        known: set[tuple[int, str]] = set()
        for piece in pieces(len(hashes) if len(again) else 0):
            for block in (piece.start + np.flatnonzero(np.isin(hashes[piece], again))).tolist():
                suffix = self._suffixes.text_of(block)
                player = next(p for p in range(3) if hash((p, suffix)) == hashes[block])
                if (player, suffix) in known:
                    return player, suffix
                known.add((player, suffix))
        if finished:
            del hashes
            self._hashes = array("q")
        return None

    def arrays(self) -> LabelArrays:
        """Return what was gathered."""
        suffix_text, suffix_end = self._suffixes.arrays()
        prefix_text, prefix_end = self._prefixes.arrays()
        action_text, action_end = self._actions.arrays()
        return LabelArrays(
            suffix_text=suffix_text,
            suffix_end=suffix_end,
            block_prefixes=np.asarray(self._block_prefixes, np.int32),
            prefix_text=prefix_text,
            prefix_end=prefix_end,
            prefix_first=np.asarray(self._prefix_first, np.int64),
            block_actions=np.asarray(self._block_actions, np.int32),
            lane_actions=np.asarray(self._lane_actions, np.int32),
            action_text=action_text,
            action_end=action_end,
            action_first=np.append(np.asarray(self._action_first, np.int64), len(action_end)),
        )


def labels_of_blocks(infosets: Infosets, in_order: Long, lanes: Long) -> LabelArrays:
    """Return the names of a game all of whose information sets are known.

    Parameters
    ----------
    infosets : Infosets
        Their labels and the names of their actions.
    in_order : array
        The information sets of each block side by side, lane by lane.
    lanes : array
        How many each block has.
    """
    labels = list(map(infosets.label.__getitem__, in_order.tolist()))
    known: dict[tuple[str, ...], int] = {}
    ends = np.cumsum(lanes).tolist()
    sets = [
        known.setdefault(tuple(labels[begin:end]), len(known))
        for begin, end in pairwise([0, *ends])
    ]
    prefix_text, prefix_end = _joined(list(chain.from_iterable(known)))
    sizes = np.fromiter(map(len, known), np.int64, len(known))
    kinds, first, kind = np.unique(
        infosets.action_names[in_order], return_index=True, return_inverse=True
    )
    rank = np.empty(len(kinds), np.int32)
    rank[np.argsort(first)] = np.arange(len(kinds))
    names = [infosets.names[number] for number in kinds[np.argsort(first)].tolist()]
    action_text, action_end = _joined(list(chain.from_iterable(names)))
    numbers = rank[kind].tolist()
    lists: dict[tuple[int, ...], int] = {}
    listed, block_actions = 0, []
    for begin, end in pairwise([0, *ends]):
        mine = tuple(numbers[begin:end])
        block_actions.append(lists.setdefault(mine, listed))
        listed += len(mine) if block_actions[-1] == listed else 0
    return LabelArrays(
        suffix_text=np.zeros(0, np.uint8),
        suffix_end=np.zeros(len(lanes), np.int64),
        block_prefixes=np.array(sets, np.int32),
        prefix_text=prefix_text,
        prefix_end=prefix_end,
        prefix_first=np.cumsum(sizes) - sizes,
        block_actions=np.array(block_actions, np.int32),
        lane_actions=np.array([*chain.from_iterable(lists)], np.int32),
        action_text=action_text,
        action_end=action_end,
        action_first=np.cumsum([0, *map(len, names)]),
    )


def _joined(texts: list[str]) -> tuple[Bytes, Long]:
    """Return strings one after the other, and where they end."""
    encoded = list(map(str.encode, texts))
    sizes = np.fromiter(map(len, encoded), np.int64, len(encoded))
    return np.frombuffer(b"".join(encoded), np.uint8), np.cumsum(sizes)


class _Texts:
    """Strings, one after the other."""

    def __init__(self) -> None:
        self.text = bytearray()
        self.ends = array("q")

    def add(self, text: str) -> None:
        self.text += text.encode()
        self.ends.append(len(self.text))

    def text_of(self, number: int) -> str:
        begin = self.ends[number - 1] if number else 0
        return self.text[begin : self.ends[number]].decode()

    def arrays(self) -> tuple[Bytes, Long]:
        return np.frombuffer(self.text, np.uint8), np.asarray(self.ends, np.int64)


def _set_number(
    names: tuple[str, ...], known: dict[tuple[str, ...], int], texts: _Texts, first: array[int]
) -> int:
    number = known.setdefault(names, len(first))
    if number == len(first):
        first.append(len(texts.ends))
        for name in names:
            texts.add(name)
    return number
