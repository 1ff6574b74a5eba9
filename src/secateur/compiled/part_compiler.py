"""Compiles parts of a game that names its public states, each where it is needed.

Whoever holds pieces walks down to them, compiles them, and tells what they contribute to what lies
behind the sequences above. With that, and without the pieces, the trunk is compiled. Both give the
arrays into which the whole game, if it were compiled, would be taken apart
(:mod:`secateur.compiled.parts`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, final

import numpy as np

from secateur.compiled.builder import Behind, Contribution
from secateur.compiled.cut import Cut, Outline
from secateur.compiled.from_public import PublicCompiler, Todo, Visit
from secateur.compiled.parts import Part, pieces_of, restricted, trunk_of
from secateur.games.public import PublicGame


class Plan(NamedTuple):
    """Where a game is cut."""

    outline: Outline
    cut: Cut


class CompiledPieces(NamedTuple):
    """Some pieces, and what each of them contributes to the trunk."""

    part: Part
    contributions: dict[int, Contribution]


def compile_pieces(
    game: PublicGame, plan: Plan, numbers: Sequence[int], *, pruning: bool
) -> CompiledPieces:
    """Compile some pieces."""
    compiler = _PieceCompiler(game, plan, numbers, pruning=pruning)
    found = replace(compiler.run(), players=game.players)
    chosen = np.sort(np.asarray(numbers, np.int64))
    here = restricted(plan.cut, chosen)._replace(
        first=np.array(compiler.first, np.int64), end=np.array(compiler.end, np.int64)
    )
    return CompiledPieces(pieces_of(found, here, range(len(chosen))), compiler.contributions)


def compile_trunk(
    game: PublicGame, plan: Plan, contributions: dict[int, Contribution], *, pruning: bool
) -> Part:
    """Compile what is above the pieces."""
    compiler = _TrunkCompiler(game, plan, contributions, pruning=pruning)
    found = replace(compiler.run(), players=game.players)
    stubs = np.array(compiler.stubs, np.int64)
    return trunk_of(found, plan.cut._replace(first=stubs, end=stubs + 1))


class _PartCompiler(PublicCompiler):
    """Knows which block of the whole game comes next."""

    def __init__(self, game: PublicGame, plan: Plan, *, pruning: bool) -> None:
        super().__init__(game, None, None, pruning=pruning, thresholds=False)
        self._outline, self._cut = plan
        self._next = 1

    def _piece_at(self, block: int) -> int | None:
        """Return the piece that a block is in, if it is in one."""
        piece = int(np.searchsorted(self._cut.end, block, side="right"))
        inside = piece < len(self._cut.first) and self._cut.first[piece] <= block
        return piece if inside else None

    def _skip(self) -> Todo:
        """Leave out the next block, with all that is below it."""
        self._next = self._outline.end_of(self._next)
        return []

    def _go_on(self, visit: Visit) -> Todo:
        self._next += 1
        return self.compile_here(visit)

    def _slots(self, piece: int) -> list[int]:
        """Return how many slots of each player belong to what is above a piece."""
        return [int(self._cut.slots[2 * piece + player]) for player in range(2)]


@final
class _PieceCompiler(_PartCompiler):
    """Compiles some pieces, and what is above them, which is not kept."""

    def __init__(
        self, game: PublicGame, plan: Plan, numbers: Sequence[int], *, pruning: bool
    ) -> None:
        super().__init__(game, plan, pruning=pruning)
        self._wanted = sorted(numbers)
        self._starts = self._cut.first[self._wanted]
        self._inside = False
        self.first: list[int] = []
        self.end: list[int] = []
        self.contributions: dict[int, Contribution] = {}

    def compile_state(self, visit: Visit) -> Todo:
        """Compile a public state if it is wanted, or on the way to one that is."""
        if self.game.public_turn(visit.state) not in (0, 1):
            return self.compile_here(visit)
        if self._inside:
            return self._go_on(visit)
        piece = self._piece_at(self._next)
        if piece is None:
            return self._go_on(visit) if self._leads_to_wanted() else self._skip()
        return self._enter(visit, piece) if piece in self._wanted else self._skip()

    def _leads_to_wanted(self) -> bool:
        """Return whether something below the next block is wanted."""
        place = int(np.searchsorted(self._starts, self._next))
        end = self._outline.end_of(self._next)
        return place < len(self._starts) and int(self._starts[place]) < end

    def _enter(self, visit: Visit, piece: int) -> Todo:
        """Compile one of the subtrees of a piece."""
        if self._next == self._cut.first[piece]:
            self.first.append(self.builder.blocks)
            self.end.append(0)
        slots = self._slots(piece)
        self.builder.forget_behind(slots)
        self._inside = True

        def leave() -> None:
            self._inside = False
            self.end[-1] = self.builder.blocks
            found = self.builder.contribution(slots)
            before = self.contributions.get(piece)
            self.contributions[piece] = found if before is None else _joined(before, found)

        return [*self._go_on(visit), leave]


@final
class _TrunkCompiler(_PartCompiler):
    """Compiles what is above the pieces, with stubs in their places."""

    def __init__(
        self,
        game: PublicGame,
        plan: Plan,
        contributions: dict[int, Contribution],
        *,
        pruning: bool,
    ) -> None:
        super().__init__(game, plan, pruning=pruning)
        self._contributions = contributions
        self.stubs: list[int] = []

    def compile_state(self, visit: Visit) -> Todo:
        """Compile a public state unless it is in a piece."""
        if self.game.public_turn(visit.state) not in (0, 1):
            return self.compile_here(visit)
        piece = self._piece_at(self._next)
        if piece is None:
            return self._go_on(visit)
        if self._next == self._cut.first[piece]:
            self.stubs.append(self.builder.blocks)
            self.builder.stub(self._contributions[piece])
        return self._skip()


def _joined(first: Contribution, second: Contribution) -> Contribution:
    """Return what two subtrees of a piece contribute."""
    return Contribution(
        tuple(
            Behind(
                a.histories + b.histories,
                np.fmax(a.upper, b.upper),
                np.fmin(a.lower, b.lower),
            )
            for a, b in zip(first.slots, second.slots, strict=True)
        ),
        tuple(a + b for a, b in zip(first.root_histories, second.root_histories, strict=True)),
        (min(first.payoffs[0], second.payoffs[0]), max(first.payoffs[1], second.payoffs[1])),
    )
