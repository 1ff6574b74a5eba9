"""Reads the rules of a game history by history, and checks them on the way."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_right
from collections.abc import Hashable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from secateur.compiled.histories import NO_INFOSET, OVER, Histories, Infosets
from secateur.compiled.problems import Problem, raised
from secateur.compiled.progress import Observer, Progress
from secateur.compiled.sharing import ALL_BEFORE, Sharing
from secateur.compiled.too_large import MemoryWatch
from secateur.errors import SecateurError
from secateur.games.questions import Questions
from secateur.games.rules import CHANCE, Game

DEEPEST = 10_000
_PAUSE = 1 << 10
"""Histories that are read between two looks at memory and the clock; a power of two."""

_TOLERANCE = 1e-9
_SEQUENCES = (list, tuple, range)
_STATE, _MOVES, _POSITION, _WIDTH = 0, 2, 3, 4
"""Where a frame has them."""


def read_histories(
    game: Game, observe: Observer | None = None, memory_limit: int | None = None
) -> Histories:
    """Enumerate every history of a game; raise GameError where the rules are unsound."""
    return _Reader(game, observe, memory_limit).run()


class _Reader:
    def __init__(self, game: Game, observe: Observer | None, memory_limit: int | None) -> None:
        self.game = game
        self.infosets = _Infosets()
        self.watch = MemoryWatch(game, memory_limit)
        self.progress = Progress(observe)

    def run(self) -> Histories:
        """Visit every history in preorder.

        A state is made when it is visited and kept until its last child has been: only those of
        one path are in memory. One loop without calls of its own: this is where reading takes time.
        """
        game, known = self.game, self.infosets
        questions = game.questions()
        ask_turn, ask_actions = questions.turn, questions.actions
        ask_information = questions.information
        ask_after, ask_payoffs, ask_names = questions.after, questions.payoffs, questions.names
        over = questions.over
        sharing = None if game.immutable_states else Sharing(game)
        parents, depths, infosets = array("i"), array("i"), array("i")
        last_0, last_1 = array("i"), array("i")
        chances, payoffs = array("d"), array("d")
        infosets_of, infoset_given, infoset_parent = known.numbers, known.given, known.parent
        first_sequence = known.first_sequence
        # histories between the start and the one whose children are visited, which is in variables
        frames: list[tuple[Any, ...]] = []
        state: Any = None
        turn, number, depth, position, width, first = CHANCE, -1, 0, 0, 0, 0
        information: Hashable = None
        moves: Sequence[Any] = ()
        weights: Sequence[float] = ()
        sequence_0 = sequence_1 = 0
        chance = 1.0
        # what the child has that is visited
        child_0 = child_1 = 0
        child_chance = 1.0
        asked = "start"
        try:
            child = questions.start()
            while True:
                count = len(parents)
                parents.append(number)
                depths.append(depth)
                last_0.append(child_0)
                last_1.append(child_1)
                chances.append(child_chance)
                if not count & (_PAUSE - 1) and count:
                    self.watch.look(count)
                    asked = "observe"
                    self.progress.tell(count, partial(_share_read, frames, position, width))
                asked = "turn"
                player = ask_turn(child)
                if player == over:
                    infosets.append(OVER)
                    asked = "payoffs"
                    paid = ask_payoffs(child)
                    win = paid[0] if type(paid) in _SEQUENCES and len(paid) == 2 else None
                    if type(win) is not float or win + paid[1] != 0.0:
                        win = _checked_payoff(paid)
                    payoffs.append(win)
                    if sharing is not None and sharing.due(count, len(frames)):
                        sharing.replay(_path(frames, moves, position), paid)
                else:
                    if number >= 0:
                        rest = turn, number, first, sequence_0, sequence_1, chance
                        frames.append((state, information, moves, position, width, weights, rest))
                    depth += 1
                    if depth > DEEPEST:
                        raise Problem(f"not over after {DEEPEST:,} moves; every game must end")
                    state, turn, number = child, player, count
                    sequence_0, sequence_1, chance = child_0, child_1, child_chance
                    moves, position, width = (), 0, 0
                    if player == 0 or player == 1:  # noqa: PLR1714 - faster
                        asked = "actions"
                        moves = ask_actions(state)
                        if type(moves) not in _SEQUENCES:
                            moves = tuple(moves)
                        width = len(moves)
                        given = tuple(map(str, moves)) if ask_names is None else moves
                        asked = "information"
                        information = ask_information(state)
                        own = sequence_1 if player else sequence_0
                        asked = "hash"
                        infoset = infosets_of[player].get(information)
                        if infoset is None:
                            asked = "actions"
                            names = tuple(given) if ask_names is None else ask_names(state, moves)
                            infoset = known.add(player, information, given, names, own)
                        elif infoset_given[infoset] != given or infoset_parent[infoset] != own:
                            asked = "actions"
                            names = tuple(given) if ask_names is None else ask_names(state, moves)
                            known.compare(infoset, names, own)
                        infosets.append(infoset)
                        first = first_sequence[infoset]
                    elif player == CHANCE:
                        infosets.append(NO_INFOSET)
                        asked = "chance"
                        information = None
                        moves, weights = _checked_chance(questions.chance(state))
                        width = len(moves)
                    else:
                        raise Problem(f"turn() gave {player!r}; give 0, 1, CHANCE or END")
                while position == width:
                    if not frames:
                        asked = "observe"
                        self.progress.finish(len(parents))
                        return Histories(
                            parent=np.array(parents, np.int64),
                            depth=np.array(depths, np.int64),
                            infoset=np.array(infosets, np.int64),
                            sequences=(np.array(last_0, np.int64), np.array(last_1, np.int64)),
                            chance=np.array(chances),
                            payoff=np.array(payoffs),
                            infosets=known.arrays(),
                        )
                    state, information, moves, position, width, weights, rest = frames.pop()
                    turn, number, first, sequence_0, sequence_1, chance = rest
                    depth -= 1
                move = moves[position]
                if position == 1 and sharing is not None and count < ALL_BEFORE:
                    asked = "turn"
                    sharing.check(state, turn, information)
                asked = "after"
                position += 1
                child = ask_after(state, move)
                if position == width > 1 and sharing is not None:
                    asked = "turn"
                    sharing.check(state, turn, information)
                if turn == 0:
                    child_0, child_1, child_chance = first + position - 1, sequence_1, chance
                elif turn == 1:
                    child_0, child_1, child_chance = sequence_0, first + position - 1, chance
                else:
                    child_0, child_1 = sequence_0, sequence_1
                    child_chance = chance * weights[position - 1]
        except Problem as problem:
            path = _names(questions, frames, state, moves, 0 if problem.at_parent else position)
            raise problem.located(game, path) from problem.__cause__
        except SecateurError:
            raise
        except Exception as error:
            if asked == "observe":
                raise  # not by the rules
            path = _names(questions, frames, state, moves, 0 if asked == "after" else position)
            if asked == "hash":
                found = Problem(f"information() gave {information!r}; give something hashable")
            else:
                move = (questions.name(state, moves[position - 1]),) if asked == "after" else ()
                found = raised(error, asked, *move)
            raise found.located(game, path) from error


def _path(frames: list[tuple[Any, ...]], moves: Sequence[Any], position: int) -> list[Any]:
    """Return the moves that lead to a child of the current history; to itself before the first."""
    path = [frame[_MOVES][frame[_POSITION] - 1] for frame in frames]
    return [*path, moves[position - 1]] if position else path


def _names(
    questions: Questions,
    frames: list[tuple[Any, ...]],
    state: Any,
    moves: Sequence[Any],
    position: int,
) -> list[str]:
    """Return the labels of the same moves."""
    states = [*(frame[_STATE] for frame in frames), state]
    path = _path(frames, moves, position)
    return [questions.name(state, move) for state, move in zip(states, path, strict=False)]


def _share_read(frames: list[tuple[Any, ...]], position: int, width: int) -> float:
    """Return how much of the game has been read if every move leads to as much as its siblings."""
    read, share = 0.0, 1.0
    for frame in frames:
        share /= frame[_WIDTH]
        read += (frame[_POSITION] - 1) * share
    return read + (position - 1) * share / width if width else read


def _checked_payoff(paid: Any) -> float:
    """Return what player 0 wins."""
    try:
        first, second = paid
        first, second = float(first), float(second)
    except (TypeError, ValueError):
        raise Problem(f"payoffs() gave {paid!r}; give a number for each player") from None
    if not (math.isfinite(first) and math.isfinite(second)):
        raise Problem(f"payoffs {first:g} and {second:g}; payoffs must be finite numbers")
    if abs(first + second) > _TOLERANCE * max(1.0, abs(first)):
        raise Problem(
            f"payoffs {first:g} and {second:g} do not sum to zero; "
            "only zero-sum games can be solved"
        )
    return first


def _checked_chance(outcomes: Iterable[tuple[Any, Any]]) -> tuple[list[Any], list[float]]:
    """Return the outcomes that can happen and their probabilities."""
    moves, weights = [], []
    for outcome, probability in outcomes:
        weight = float(probability)
        if not weight >= 0.0:
            raise Problem(f"chance gives {outcome} the probability {weight:g}; it must be >= 0")
        moves.append(outcome)
        weights.append(weight)
    total = math.fsum(weights)
    if not abs(total - 1.0) <= _TOLERANCE:
        raise Problem(f"chance probabilities sum to {total:.12g}; they must sum to 1")
    if 0.0 in weights:
        moves = [move for move, weight in zip(moves, weights, strict=True) if weight > 0.0]
        weights = [weight for weight in weights if weight > 0.0]
    return moves, weights


class _Infosets:
    """Collects information sets while they are met."""

    def __init__(self) -> None:
        self.numbers: tuple[dict[Hashable, int], dict[Hashable, int]] = ({}, {})
        self.player = array("b")
        self.label: list[str] = []
        self.given: list[Sequence[Any]] = []
        """Actions as the rules give them."""

        self.parent = array("i")
        self.first_sequence = array("i")
        self._sequences = 1
        self._labeled: tuple[set[str], set[str]] = (set(), set())
        """Labels of information that is not a string itself."""

        self._action_names = array("i")
        self._kinds: dict[tuple[str, ...], tuple[Sequence[Any], int]] = {}
        """Names of actions, as the rules have given them first, with a number."""

    def add(
        self,
        player: int,
        information: Hashable,
        given: Sequence[Any],
        names: tuple[str, ...],
        own: int,
    ) -> int:
        """Give a number to an information set that is met for the first time."""
        if not names:
            raise Problem(f"player {player} has no action; offer one, or return END")
        kind = self._kinds.get(names)
        if kind is None:
            if len(set(names)) < len(names):
                raise Problem(f"actions {list(names)} are not all different; rename them")
            kind = self._kinds[names] = (given, len(self._kinds))
        elif kind[0] != given:
            kind = (given, kind[1])
        if type(information) is str and not self._labeled[player]:
            label = information
        else:
            label = self._label(player, information)
        number = self.numbers[player][information] = len(self.label)
        self.player.append(player)
        self.label.append(label)
        self.given.append(kind[0])
        self._action_names.append(kind[1])
        self.parent.append(own)
        self.first_sequence.append(self._sequences)
        self._sequences += len(names)
        return number

    def _label(self, player: int, information: Hashable) -> str:
        """Return the label of new information; others may not have the same."""
        others = self._labeled[player]
        if type(information) is str:
            label, taken = information, information in others
        else:
            label = str(information)
            taken = label in others or label in self.numbers[player]
            others.add(label)
        if taken:
            raise Problem(f"two information sets of player {player} are called '{label}'")
        return label

    def compare(self, infoset: int, names: tuple[str, ...], own: int) -> None:
        """Raise Problem if a history differs from others of its information set."""
        player, label, known = self.player[infoset], self.label[infoset], self.names(infoset)
        if known != names:
            raise Problem(
                f"information set '{label}' of player {player} offers "
                f"{list(names)}, but {list(known)} at another history; "
                "all histories of an information set must offer the same actions"
            )
        if own == self.parent[infoset]:
            return
        raise Problem(
            f"imperfect recall: at information set '{label}' player {player} "
            f"has come from {self._sequence_name(own)} here and from "
            f"{self._sequence_name(self.parent[infoset])} at another history; "
            "let information() tell them apart, or load the game with perfect_recall=True "
            "(with_perfect_recall(game) for rules of your own)"
        )

    def names(self, infoset: int) -> tuple[str, ...]:
        """Return the labels of an information set's actions."""
        return list(self._kinds)[self._action_names[infoset]]

    def _sequence_name(self, sequence: int) -> str:
        if sequence == 0:
            return "the start"
        infoset = bisect_right(self.first_sequence, sequence) - 1
        action = self.names(infoset)[sequence - self.first_sequence[infoset]]
        return f"'{self.label[infoset]}' {action}"

    def arrays(self) -> Infosets:
        """Return what was collected."""
        return Infosets(
            player=np.array(self.player, np.int64),
            label=self.label,
            actions=np.fromiter(map(len, self.given), np.int64, len(self.given)),
            action_names=np.array(self._action_names, np.int64),
            names=list(self._kinds),
            parent=np.array(self.parent, np.int64),
            first_sequence=np.array(self.first_sequence, np.int64),
        )
