"""Compiles a game that names its public states; no history is enumerated."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from traceback import extract_tb
from typing import Any, Generic, TypeVar, final

import numpy as np
import numpy.typing as npt

from secateur.compiled.arrays import DISJOINT, SHOWDOWN
from secateur.compiled.builder import Builder, Parents
from secateur.compiled.chances import by_chance
from secateur.compiled.combinations import extremes, hand_matrix
from secateur.compiled.game import CompiledGame
from secateur.compiled.joints import ROOT_ROW, Row
from secateur.compiled.matrices import MatrixTable
from secateur.compiled.measuring import DEEPEST
from secateur.compiled.problems import raised
from secateur.compiled.progress import Observer, Progress
from secateur.compiled.sharing import REMEDY
from secateur.compiled.too_large import PublicWatch
from secateur.errors import GameError, SecateurError
from secateur.games.combinations import Disjoint, Fixed, Showdown
from secateur.games.public import Deal, Hands, Payoff, PublicGame
from secateur.games.rules import CHANCE, END

Indices = npt.NDArray[np.intp]
Float = npt.NDArray[np.float64]
T = TypeVar("T")


def compile_public(
    game: PublicGame,
    *,
    pruning: bool = False,
    thresholds: bool = False,
    observe: Observer | None = None,
    memory_limit: int | None = None,
) -> CompiledGame:
    """Compile a game public state by public state, in preorder."""
    watch = PublicWatch(game, memory_limit, thresholds=thresholds)
    return _WholeCompiler(game, observe, watch, pruning=pruning, thresholds=thresholds).run()


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a player stands: the row of its last action, and the lane in it of each hand."""

    row: Row
    lane: Indices


@dataclass(frozen=True, slots=True)
class Visit:
    """A public state that is still to be compiled."""

    state: Any
    hands: Hands
    places: tuple[_Place, _Place]
    depth: int
    share: float
    """Of the whole game, if every move led to as much as its siblings."""


@dataclass(frozen=True, slots=True)
class _Lanes:
    """What a block's lanes have in common wherever the hands and the way to them are the same."""

    prefixes: tuple[str, ...]
    offsets: tuple[int, ...]
    consecutive: bool


class _Shared(Generic[T]):
    """Computes once per combination of objects, told apart by identity (integers by value).

    It keeps the objects, so that no ``id`` is ever used again for another one.
    """

    def __init__(self, compute: Callable[..., T]) -> None:
        self._compute = compute
        self._results: dict[tuple[int, ...], tuple[T, tuple[Any, ...]]] = {}

    def __call__(self, *parts: Any) -> T:
        key = tuple([part if part.__class__ is int else id(part) for part in parts])
        found = self._results.get(key)
        if found is None:
            found = self._results[key] = (self._compute(*parts), parts)
        return found[0]


Todo = list["Visit | Callable[[], None]"]
"""What is still to be done: public states to compile and, between them, blocks to close."""


class PublicCompiler(ABC):
    """Compiles public states one after the other, in preorder."""

    def __init__(
        self,
        game: PublicGame,
        observe: Observer | None,
        watch: PublicWatch | None,
        *,
        pruning: bool,
        thresholds: bool,
    ) -> None:
        self.game = game
        self.watch = watch
        self.progress = Progress(observe)
        self.histories = 0
        self.builder = Builder(pruning=pruning, thresholds=thresholds)
        matrices = self.builder.matrices
        self.lane_of_hand = _Shared(_lane_of_hand)
        self.lanes = _Shared(_lanes)
        self.counts = _Shared(_counts)
        self.matrix = _Shared(partial(_matrix, game, matrices))
        self.chances = _Shared(partial(_chances, matrices))
        self.pairs = _Shared(partial(_pairs, matrices))
        self.alike = _Shared(_alike)
        self.extremes = _Shared(_extremes)
        self.paid = _Shared(_paid)
        self.moved = _Shared(lambda lane, origin: lane[origin])
        self.written_out = _Shared(lambda hands: hands.written_out())
        self.matrix_of = _Shared(lambda payoff: payoff.matrix)

    def run(self) -> CompiledGame:
        """Visit every public state once, children before siblings."""
        sequences = self.game.estimated_sequences()
        if sequences is not None and self.watch is not None:
            self.watch.expect(sequences)
        self.visit_all()
        self.progress.finish(self.histories)
        return self.builder.finish(self.game.name, self.game.parameters)

    def visit_all(self) -> None:
        """Tell the builder all that there is."""
        start = self.game.public_start()
        hands = self._hands(start)
        first, second = _marginals(hands)
        if len(first) != 1 or len(second) != 1 or abs(first[0] - 1.0) > 1e-9:
            raise GameError(
                f"{self.game}: begins with {len(first) * len(second)} pairs of hands of total "
                f"weight {first.sum():g}; begin with one of weight 1 and deal by a chance move."
            )
        place = _Place(ROOT_ROW, np.zeros(1, np.intp))
        todo: Todo = [Visit(start, hands, (place, place), 0, 1.0)]
        while todo:
            visit = todo.pop()
            if not isinstance(visit, Visit):
                visit()
                continue
            if visit.depth > DEEPEST:
                raise GameError(
                    f"{self.game}: not over after {DEEPEST:,} moves; every game must end."
                )
            todo += reversed(self._asked(visit))
            self._check_labels(finished=False)
            if self.watch is not None:
                self.watch.look(partial(_share_read, todo), wide=self.builder.wide)
            self.progress.tell(self.histories, partial(_share_read, todo))
        self._check_labels(finished=True)
        if self.watch is not None:
            self.watch.look(lambda: 1.0, wide=self.builder.wide, finished=True)

    def _hands(self, state: Any) -> Hands:
        """Return the hands of a public state; thresholds look at every pair."""
        hands = self.game.hands(state)
        return self.written_out(hands) if self.builder.thresholds else hands

    def _payoff(self, state: Any, hands: Hands) -> Payoff:
        """Return the payoffs at an end, with a matrix unless both they and hands need none."""
        payoff = self.game.payoff(state)
        if isinstance(hands.weights, Disjoint):
            return payoff
        if isinstance(payoff.matrix, Showdown | Fixed):
            return payoff._replace(matrix=self.matrix_of(payoff.matrix))
        return payoff

    def _check_labels(self, *, finished: bool) -> None:
        repeated = self.builder.repeated_suffix(finished=finished)
        if repeated is not None:
            player, label = repeated
            raise GameError(
                f"{self.game}: two public states of player {player} are called '{label}'; "
                "let public_label() tell them apart."
            )

    def _asked(self, visit: Visit) -> Todo:
        """Compile a public state; where the rules fail, say at which one."""
        try:
            return self.compile_state(visit)
        except SecateurError:
            raise
        except Exception as error:
            frames = extract_tb(error.__traceback__)
            method = next((frame.name for frame in frames if frame.filename != __file__), "?")
            where = f"after '{self._label(visit.state)}'" if visit.depth else "at the start"
            raise GameError(f"{self.game}: {where}: {raised(error, method)}.") from error

    def _label(self, state: Any) -> str:
        try:
            return self.game.public_label(state)
        except Exception:
            return "?"

    @abstractmethod
    def compile_state(self, visit: Visit) -> Todo:
        """Compile a public state, or not; return what follows it."""

    def compile_here(self, visit: Visit) -> Todo:
        """Compile a public state; return what follows it."""
        for player, place in enumerate(visit.places):
            counts = self.counts(visit.hands, place.lane, player, place.row.lanes)
            self.builder.count_histories(player, place.row, counts)
        self.histories += int(counts.sum())
        if self.builder.pruning:
            self._tally(visit)
        if self.builder.thresholds:
            self._branch(visit)
        turn = self.game.public_turn(visit.state)
        if turn == END:
            self._end(visit)
            return []
        if turn == CHANCE:
            deals = self._checked_deals(visit)
            return [self._deal(visit, deal, visit.share / len(deals)) for deal in deals]
        if turn not in (0, 1):
            raise GameError(f"{self.game}: public_turn() gave {turn!r}; give 0, 1, CHANCE or END.")
        return self._decide(visit, turn)

    def _decide(self, visit: Visit, player: int) -> Todo:
        place = visit.places[player]
        lane_of_hand = self.lane_of_hand(visit.hands, player)
        lanes = self.lanes(visit.hands, place.lane, lane_of_hand, player)
        actions = tuple(map(str, self.game.public_actions(visit.state)))
        if not actions or len(set(actions)) < len(actions):
            raise GameError(
                f"{self.game}: actions {list(actions)} after "
                f"'{self.game.public_label(visit.state)}'; offer at least one, each once."
            )
        label = self.game.public_label(visit.state)
        rows = self.builder.open(
            player,
            (actions,),
            Parents(place.row.slot, lanes.offsets, lanes.consecutive),
            (visit.places[0].row, visit.places[1].row),
            lanes.prefixes,
            label,
        )
        if self.builder.pruning:
            self._link(visit, player, lane_of_hand)
        children: Todo = []
        for action, row in zip(actions, rows, strict=True):
            here = _Place(row, lane_of_hand)
            places = (here, visit.places[1]) if player == 0 else (visit.places[0], here)
            state = self.game.public_after(visit.state, action)
            share = visit.share / len(actions)
            children.append(Visit(state, visit.hands, places, visit.depth + 1, share))
        again = self.game.public_turn(visit.state), self.game.public_label(visit.state)
        if again != (player, label):
            raise GameError(
                f"{self.game}: after '{label}': public_turn() and public_label() gave {player} and "
                f"'{label}', but {again[0]} and '{again[1]}' after moves had been made from there; "
                f"{REMEDY.replace('after()', 'public_after()')}."
            )
        return [*children, self.builder.close]

    def _deal(self, visit: Visit, deal: Deal, share: float) -> Visit:
        first, second = (
            _Place(place.row, self.moved(place.lane, origin))
            for place, origin in zip(visit.places, deal.origins, strict=True)
        )
        hands = self._hands(deal.state)
        return Visit(deal.state, hands, (first, second), visit.depth + 1, share)

    def _checked_deals(self, visit: Visit) -> list[Deal]:
        deals = list(self.game.deals(visit.state))
        every = [self._hands(deal.state) for deal in deals]
        for hands in every:
            least = _least_weight(hands)
            if not least >= 0.0:
                raise GameError(
                    f"{self.game}: chance after '{self.game.public_label(visit.state)}' deals "
                    f"hands with weight {least:g}; weights must be >= 0."
                )
        written = not any(isinstance(each.weights, Disjoint) for each in (visit.hands, *every))
        shares = _weights if written else _marginals
        before = shares(visit.hands)
        total = [np.zeros_like(part) for part in before]
        for deal, hands in zip(deals, every, strict=True):
            for player, part in enumerate(shares(hands)):
                places = np.ix_(*deal.origins) if written else deal.origins[player]
                np.add.at(total[player], places, part)
        if not all(map(_are_close, total, before)):
            raise GameError(
                f"{self.game}: chance after '{self.game.public_label(visit.state)}' deals hands "
                f"with total weight {total[0].sum():g}, but the hands before had "
                f"{before[0].sum():g}, pair by pair; they must be equal."
            )
        return deals

    def _end(self, visit: Visit) -> None:
        payoff = self._payoff(visit.state, visit.hands)
        (row_0, lane_0), (row_1, lane_1) = ((p.row, p.lane) for p in visit.places)
        if not np.isfinite(payoff.factor):
            raise GameError(
                f"{self.game}: payoff {payoff.factor} after "
                f"'{self.game.public_label(visit.state)}'; payoffs must be finite numbers."
            )
        shape = (lane_0, lane_1, row_0.lanes, row_1.lanes)
        number, factor = self.matrix(visit.hands, payoff.matrix, *shape)
        self.builder.leaf(row_0, row_1, number, factor * payoff.factor)
        self.builder.paid(
            *sorted(payoff.factor * most for most in self.paid(visit.hands, payoff.matrix))
        )
        if self.builder.thresholds:
            for chance, hands in self.alike(visit.hands):
                number, factor = self.matrix(hands, payoff.matrix, *shape)
                self.builder.end(row_0, row_1, number, factor * payoff.factor, chance)
        if self.builder.pruning:
            self._bound(visit, payoff)

    def _tally(self, visit: Visit) -> None:
        first, second = visit.places
        pairs = self.pairs(visit.hands, first.lane, second.lane, first.row.lanes, second.row.lanes)
        self.builder.tally(first.row, second.row, *pairs)

    def _branch(self, visit: Visit) -> None:
        (row_0, lane_0), (row_1, lane_1) = ((p.row, p.lane) for p in visit.places)
        for chance, hands in self.alike(visit.hands):
            pairs = self.pairs(hands, lane_0, lane_1, row_0.lanes, row_1.lanes)
            self.builder.branch(row_0, row_1, *pairs, chance)

    def _link(self, visit: Visit, player: int, lane_of_hand: Indices) -> None:
        other = visit.places[1 - player]
        chances = self.chances(visit.hands, lane_of_hand, other.lane, player, other.row.lanes)
        self.builder.link(other.row, *chances)

    def _bound(self, visit: Visit, payoff: Payoff) -> None:
        for player, place in enumerate(visit.places):
            win = payoff.factor if player == 0 else -payoff.factor
            sign = (win > 0.0) - (win < 0.0)
            upper, lower = self.extremes(
                visit.hands, payoff.matrix, place.lane, player, place.row.lanes, sign
            )
            size = abs(payoff.factor) if sign else 1.0
            self.builder.bound(player, place.row, size * upper, size * lower)


@final
class _WholeCompiler(PublicCompiler):
    """Compiles all public states."""

    def compile_state(self, visit: Visit) -> Todo:
        """Compile a public state."""
        return self.compile_here(visit)


def _weights(hands: Hands) -> list[Float]:
    """Return the chances of all pairs of hands that are written out."""
    assert isinstance(hands.weights, np.ndarray)
    return [hands.weights]


def _marginals(hands: Hands) -> tuple[Float, Float]:
    """Return the chances of either player's hands."""
    if isinstance(hands.weights, Disjoint):
        return hands.weights.marginals
    return hands.weights.sum(axis=1), hands.weights.sum(axis=0)


def _least_weight(hands: Hands) -> float:
    if isinstance(hands.weights, Disjoint):
        first, second = (float(each.weight.min()) for each in hands.weights.players)
        return min(first, second, hands.weights.scale)
    return float(hands.weights.min())


def _are_close(total: Float, expected: Float) -> bool:
    return np.allclose(total, expected, rtol=1e-9, atol=1e-15)


def _lane_of_hand(hands: Hands, player: int) -> Indices:
    """Return the lanes of hands that are possible; -1 for others."""
    possible = np.flatnonzero(hands.pairs(player))
    found = np.full(len(hands.labels[player]), -1, np.intp)
    found[possible] = np.arange(len(possible))
    return found


def _lanes(hands: Hands, lane: Indices, lane_of_hand: Indices, player: int) -> _Lanes:
    possible = np.flatnonzero(lane_of_hand >= 0)
    parents = Parents.of(0, lane[possible].tolist())
    return _Lanes(
        prefixes=tuple(hands.labels[player][hand] for hand in possible),
        offsets=parents.offsets,
        consecutive=parents.consecutive,
    )


def _matrix(
    game: PublicGame,
    matrices: MatrixTable,
    hands: Hands,
    payoff: Float | Showdown | Fixed,
    lane_0: Indices,
    lane_1: Indices,
    lanes_0: int,
    lanes_1: int,
) -> tuple[int, float]:
    if isinstance(hands.weights, Disjoint) and isinstance(payoff, Showdown | Fixed):
        compared = payoff if isinstance(payoff, Showdown) else None
        kind = DISJOINT if compared is None else SHOWDOWN
        places, shape = (lane_0, lane_1), (lanes_0, lanes_1)
        found = hand_matrix(kind, hands.weights, compared, places, shape)
        return matrices.add_hands(found), hands.weights.scale
    assert isinstance(payoff, np.ndarray)
    (weights,) = _weights(hands.written_out())
    first, second = np.nonzero(weights)
    value = weights[first, second] * payoff[first, second]
    if not np.isfinite(value).all():
        raise GameError(f"{game}: a payoff is not a finite number; check payoff().")
    return matrices.add_entries((lanes_0, lanes_1), lane_0[first], lane_1[second], value)


def _chances(
    matrices: MatrixTable,
    hands: Hands,
    lane: Indices,
    other: Indices,
    player: int,
    other_lanes: int,
) -> tuple[int, float]:
    """Return the matrix of chance's weights between a block's lanes and the other's row."""
    lanes = int(lane.max()) + 1
    places = (lane, other) if player == 0 else (other, lane)
    shape = (lanes, other_lanes) if player == 0 else (other_lanes, lanes)
    if isinstance(hands.weights, Disjoint):
        found = hand_matrix(DISJOINT, hands.weights, None, places, shape)
        return matrices.add_hands(found), hands.weights.scale
    first, second = np.nonzero(hands.weights)
    return matrices.add_entries(
        shape, places[0][first], places[1][second], hands.weights[first, second]
    )


def _pairs(
    matrices: MatrixTable,
    hands: Hands,
    lane_0: Indices,
    lane_1: Indices,
    lanes_0: int,
    lanes_1: int,
) -> tuple[int, float]:
    """Return the matrix that counts pairs of hands between two rows."""
    if isinstance(hands.weights, Disjoint):
        places, shape = (lane_0, lane_1), (lanes_0, lanes_1)
        found = hand_matrix(DISJOINT, hands.weights, None, places, shape)
        return matrices.add_hands(found), float(hands.weights.copies)
    first, second = np.nonzero(hands.weights)
    return matrices.add_entries(
        (lanes_0, lanes_1), lane_0[first], lane_1[second], np.ones(len(first))
    )


def _paid(hands: Hands, payoff: Float | Showdown | Fixed) -> tuple[float, float]:
    """Return the least and the most that is paid to a pair of hands."""
    if isinstance(payoff, Fixed):
        return 1.0, 1.0
    if isinstance(payoff, Showdown):
        hand = np.arange(len(payoff.strength[0]))
        most, least = _extremes(hands, payoff, hand, 0, len(hand), 1)
        return float(least.min()), float(most.max())
    (weights,) = _weights(hands.written_out())
    paid = payoff[np.nonzero(weights)]
    return float(paid.min(initial=np.inf)), float(paid.max(initial=-np.inf))


def _share_read(todo: Todo) -> float:
    """Return how much of the game is not to be compiled any more."""
    return 1.0 - sum(visit.share for visit in todo if isinstance(visit, Visit))


def _alike(hands: Hands) -> tuple[tuple[float, Hands], ...]:
    """Part the pairs of hands by their weight."""
    (every,) = _weights(hands)
    first, second = np.nonzero(every)
    chances, kind = by_chance(every[first, second])
    parts = []
    for number, chance in enumerate(chances.tolist()):
        weights = np.zeros_like(every)
        here = first[kind == number], second[kind == number]
        weights[here] = every[here]
        parts.append((chance, hands._replace(weights=weights)))
    return tuple(parts)


def _extremes(
    hands: Hands,
    payoff: Float | Showdown | Fixed,
    lane: Indices,
    player: int,
    lanes: int,
    sign: int,
) -> tuple[Float, Float]:
    """Return the most and the least that each lane of a player's row may win.

    That is ``sign`` times ``payoff``. Lanes without hands have infinite extremes.
    """
    most, least = np.full(lanes, -np.inf), np.full(lanes, np.inf)
    if isinstance(payoff, Fixed):
        some = lane[hands.pairs(player) > 0]
        most[some] = least[some] = sign
        return most, least
    if isinstance(payoff, Showdown):
        assert isinstance(hands.weights, Disjoint)
        return extremes(hands.weights, payoff, player, lane, lanes, sign)
    (weights,) = _weights(hands.written_out())
    first, second = np.nonzero(weights)
    mine = lane[first if player == 0 else second]
    np.maximum.at(most, mine, sign * payoff[first, second])
    np.minimum.at(least, mine, sign * payoff[first, second])
    return most, least


def _counts(hands: Hands, lane: Indices, player: int, lanes: int) -> npt.NDArray[np.int64]:
    """Count the pairs of hands behind each lane of a player's last row."""
    pairs = hands.pairs(player)
    possible = pairs > 0
    counts = np.bincount(lane[possible], weights=pairs[possible], minlength=lanes)
    return counts.astype(np.int64)
