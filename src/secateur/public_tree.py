"""The public tree of a compiled game: what everybody has seen, node by node.

A *node* is where players stand who have seen the same: the blocks of one public state. Its number
is that of its first block, so it means the same wherever the same rules are compiled. Nodes are
made when they are asked for; nothing here goes through the whole game.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from secateur import checks
from secateur.compiled.game import CompiledGame, checked_game
from secateur.errors import ParameterError

_WORDS = re.compile(r"\[[^\[\]]*\]|[^\s\[\]]+")
"""What labels of one line are made of: words, or what stands in brackets."""

_SOME_LANES = 16
"""Information sets of a block that are looked at to learn what all have in common."""


class Move(NamedTuple):
    """What all information sets of a block have done who come somewhere."""

    block: int
    action: int
    """By its number."""


class Branch(NamedTuple):
    """A way from a node to one of the next."""

    node: int
    """Where it leads."""

    moves: tuple[Move, ...]
    """What the players have done; nothing if several moves lead there, of which nobody learns."""

    words: str
    """What has happened, in the words of the game; nothing if nobody can tell."""


class PublicNode(NamedTuple):
    """A node of the public tree."""

    number: int
    tables: tuple[tuple[int, ...], ...]
    """Blocks of one player with equally many actions each; none at a start where nobody decides."""

    branches: tuple[Branch, ...]


class Step(NamedTuple):
    """A node on the way to another."""

    node: int
    words: str
    """What led there from the one before."""


def _words(label: str) -> list[str]:
    """Return what a label is made of; if it has several lines, each of them says something."""
    lines = [" ".join(line.split()) for line in label.strip().splitlines()]
    return lines if len(lines) > 1 else _WORDS.findall(label)


def _numbered(words: list[str]) -> list[str]:
    """Return texts with numbers where some are the same."""
    counts = Counter(words)
    seen: Counter[str] = Counter()
    found = []
    for text in words:
        seen[text] += 1
        found.append(text if counts[text] == 1 else f"{text} ({seen[text]})".strip())
    return found


class PublicTree:
    """The public tree of a game.

    Parameters
    ----------
    game : CompiledGame
        The game.
    """

    def __init__(self, game: CompiledGame) -> None:
        self.game = checked_game("PublicTree", game)
        self._arrays = game.arrays
        self._named = bool(len(game.labels.suffix_text))
        first = [group[0] for group in self._groups(0, (0,))]
        self.start = first[0] if len(first) == 1 else 0
        """The number of the node at which the game begins."""

    def node(self, number: int) -> PublicNode:
        """Return a node.

        Raises
        ------
        ParameterError
            If no node has this number.
        """
        return self.line(number)[-1]

    def line(self, number: int) -> list[PublicNode]:
        """Return the nodes from the start to the one with this number, which is the last."""
        number = checks.whole("use the number of a block", least=0)(f"node {number!r}", number)
        if number >= len(self._arrays.player):
            raise ParameterError(
                f"node {number}: {self.game} has blocks 1 to {len(self._arrays.player) - 1}; use "
                "the number of a node, such as tree.start."
            )
        blocks = self._start_blocks()
        found = []
        while True:
            found.append(self._made(blocks))
            if number in blocks or number == 0:
                break
            blocks = self._towards(blocks, number)
        if found[-1].number != number and number != 0:
            raise ParameterError(f"node {number}: that block is part of node {found[-1].number}.")
        return found

    def steps(self, line: Sequence[PublicNode]) -> list[Step]:
        """Return the same nodes with the words that lead from each to the next."""
        found = [Step(line[0].number, "")]
        for before, after in pairwise(line):
            words = next(each.words for each in before.branches if each.node == after.number)
            found.append(Step(after.number, words))
        return found

    def node_of(self, block: int) -> int:
        """Return the number of the node that a block belongs to."""
        blocks = self._start_blocks()
        while block not in blocks:
            blocks = self._towards(blocks, block)
        return blocks[0]

    def follow(self, words: str) -> int:
        """Return the number of the node after a history, told by the words of its branches.

        Raises
        ------
        ParameterError
            If there is no such branch; the message says which there are.
        """
        number, rest = self.start, " ".join(words.split())
        while rest:
            branches = self.node(number).branches
            fitting = [each for each in branches if f"{rest} ".startswith(f"{each.words} ")]
            if not fitting:
                known = ", ".join(each.words for each in branches[:12] if each.words)
                raise ParameterError(
                    f"{rest!r} does not follow {words.removesuffix(rest).strip()!r} in {self.game};"
                    f" {f'go on with {known}' if known else 'leave it out'}."
                )
            chosen = max(fitting, key=lambda each: len(each.words))
            if not chosen.words:
                raise ParameterError(f"{rest!r}: the way there has no words in {self.game}.")
            number, rest = chosen.node, rest[len(chosen.words) :].strip()
        return number

    def _start_blocks(self) -> tuple[int, ...]:
        first = self._groups(0, (0,))
        return first[0] if len(first) == 1 else (0,)

    def _made(self, blocks: tuple[int, ...]) -> PublicNode:
        groups = self._groups(blocks[0], blocks)
        branches = self._branches(blocks, groups)
        tables: dict[tuple[int, int], list[int]] = {}
        for block in blocks if blocks[0] else ():
            kind = int(self._arrays.player[block]), int(self._arrays.actions[block])
            tables.setdefault(kind, []).append(block)
        return PublicNode(blocks[0], tuple(map(tuple, tables.values())), branches)

    def _towards(self, blocks: tuple[int, ...], block: int) -> tuple[int, ...]:
        """Return the blocks of the next node on the way to a block."""
        return next(
            group
            for group in self._groups(blocks[0], blocks)
            if any(each <= block < self._arrays.subtree_end[each] for each in group)
        )

    def _groups(self, first: int, blocks: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Return the blocks of each node that follows some blocks."""
        ends = self._arrays.subtree_end
        if any(each > first and ends[each] != ends[first] for each in blocks):
            return []  # these were put together because nothing follows any of them
        end, block = int(ends[first]), blocks[-1] + 1
        runs = []
        while block < end:
            runs.append(self._run(block))
            block = int(ends[block])
        return self._together(runs)

    def _run(self, first: int) -> tuple[int, ...]:
        """Return a block with those after it that are decided before anybody sees anything."""
        a = self._arrays
        found = [first]
        end = a.subtree_end[first]
        for block in range(first + 1, int(end)):
            seen = any(a.gate[2 * block + p] not in (0, a.gate[2 * first + p]) for p in range(2))
            if a.subtree_end[block] != end or seen or self._follows(block, found):
                break
            found.append(block)
        return tuple(found)

    def _follows(self, block: int, others: list[int]) -> bool:
        """Return whether a player comes to a block by a move at one of the others."""
        a = self._arrays
        parent, lanes = int(a.parent_slot[block]), int(a.lanes[block])
        before = (
            range(parent, parent + lanes)
            if parent >= 0
            else a.lane_parent_slot[-1 - parent : lanes - 1 - parent].tolist()
        )
        for other in others:
            if a.player[other] == a.player[block]:
                slot = int(a.first_slot[other])
                end = slot + int(a.actions[other]) * ((int(a.lanes[other]) + 3) & ~3)
                if any(slot <= each < end for each in before):
                    return True
        return False

    def _together(self, runs: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Join last decisions after the same moves, where the game does not say what is public.

        Such blocks were parted because nobody who could tell them apart decides again.
        """
        if self._named:
            return runs
        a = self._arrays
        joined: dict[object, list[int]] = {}
        for run in runs:
            first, last = run[0], run[-1]
            key: object = first
            if last + 1 == a.subtree_end[first]:
                gates = tuple(a.gate[2 * first : 2 * first + 2].tolist())
                kinds = tuple((int(a.player[b]), int(a.actions[b])) for b in run)
                key = (gates, kinds, self._actions(first))
            joined.setdefault(key, []).extend(run)
        return [tuple(run) for run in joined.values()]

    def _actions(self, block: int) -> tuple[str, ...]:
        return self.game.labels.actions(block, 0)

    def _branches(
        self, blocks: tuple[int, ...], groups: list[tuple[int, ...]]
    ) -> tuple[Branch, ...]:
        moves = [self._moves(blocks, group[0]) for group in groups]
        alike: dict[tuple[Move, ...], list[int]] = {}
        for place, each in enumerate(moves):
            alike.setdefault(each, []).append(place)
        words = [""] * len(groups)
        for each, places in alike.items():
            name = ", ".join(self._actions(move.block)[move.action] for move in each)
            seen = self._seen(blocks[0], [groups[place] for place in places])
            for place, more in zip(places, seen, strict=True):
                told = more == name or more.startswith(f"{name} ")
                words[place] = more if told else f"{name} {more}".strip()
        return tuple(
            Branch(group[0], each, text)
            for group, each, text in zip(groups, moves, _numbered(words), strict=True)
        )

    def _moves(self, blocks: tuple[int, ...], following: int) -> tuple[Move, ...]:
        """Return by which actions of some blocks one comes to another."""
        a = self._arrays
        found = []
        for block in blocks:
            gate = int(a.gate[2 * following + int(a.player[block])]) if block else 0
            action = gate - int(a.first_row[block])
            if gate and 0 <= action < int(a.actions[block]):
                found.append(Move(block, action))
        return tuple(found)

    def _seen(self, before: int, groups: list[tuple[int, ...]]) -> list[str]:
        """Return what everybody sees on the way to each of some nodes after the same move."""
        if self._named:
            old = self.game.labels.suffix(before)
            new = [self.game.labels.suffix(group[0]) for group in groups]
            return [" ".join(each.removeprefix(old).split()) for each in new]
        if len(groups) == 1:
            return [""]
        common = [self._in_common(group) for group in groups]
        everywhere = set(common[0]).intersection(*common[1:])
        return [" ".join(word for word in words if word not in everywhere) for words in common]

    def _in_common(self, blocks: tuple[int, ...]) -> list[str]:
        """Return the words, in order, that the labels of information sets have in common."""
        found = [_words(label) for label in self._some_labels(blocks)]
        everywhere = set(found[0]).intersection(*found[1:])
        return [word for word in dict.fromkeys(found[0]) if word in everywhere]

    def _some_labels(self, blocks: tuple[int, ...]) -> Iterator[str]:
        for block in blocks:
            lanes = int(self._arrays.lanes[block])
            for lane in range(0, lanes, max(1, lanes // _SOME_LANES)):
                yield self.game.labels.label(block, lane)
