"""Finds a way to run a solver within a limit of memory, before the run starts.

The limit counts what the process takes more than before the game was read, kernels not included.
What a run takes at its peak is estimated, never too low: ``python -m benchmarks.memory_limit``
compares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from secateur.compiled.files import set_aside, take_up
from secateur.compiled.game import CompiledGame
from secateur.errors import ParameterError
from secateur.memory import in_units, resident_memory, return_free_memory
from secateur.preparing import prepare_kernels
from secateur.pruning import BestResponsePruning, PartialPruning
from secateur.solvers.cfr import CFR
from secateur.solvers.exact import Exact
from secateur.solvers.protocols import Solver
from secateur.solvers.scheduled import MOST_AT_ONCE
from secateur.solvers.warm_start import in_float64
from secateur.storage import Storage

_ROOM = 4 << 20
"""Bytes for Python's objects, for stacks, and for the report at the end."""

_PER_ITERATION = 128
"""Bytes of the schedule of an iteration; those of the next tenth of a second are in memory."""

_CELLS_IN_A_STEP = 10**9
"""Sequences that no run visits more of in that time."""

_WARM = 32
"""Bytes a sequence of a strategy with which a run begins, of its plan, and of the result."""

_PASSING = 2
"""Bytes a sequence that are taken for a moment, or given back late by the C library."""

_ROUNDED = ("float32", "int16")

_SEARCH_EVERY = 100
"""Iterations between searches of best-response pruning that is to take less memory."""

_LEVEL_OF_INT16 = 1e-4
"""NashConv at which runs in 16 bits level off at the latest, by what is at stake: measured 3e-5 to
9e-5."""


class Fitted(NamedTuple):
    """A game and a solver that keep to a limit."""

    game: CompiledGame
    solver: Solver | Exact
    words: str | None = None
    """What was chosen so that they do; None if everything is as it was asked for."""


class _Way(NamedTuple):
    """A way to run a solver."""

    solver: Solver
    mapped: bool
    """Whether the game is moved to a file that is mapped."""

    needed: int
    """The bytes that it takes at its peak."""

    def in_words(self) -> str:
        parts = [self.solver.storage.precision] if isinstance(self.solver, CFR) else []
        policy = self.solver.pruning
        if isinstance(policy, BestResponsePruning) and policy.check_every is not None:
            parts.append(f"a search every {policy.check_every} iterations")
        return " and ".join([*parts, *(["the game in a file"] if self.mapped else [])])


class _Needs(NamedTuple):
    """Tells what runs on a game take at their peak."""

    game: CompiledGame
    taken: int
    """The bytes that are taken before the run starts, but for pages of mapped files."""

    restored: int
    warm: bool

    def way(self, solver: Solver, *, mapped: bool) -> _Way:
        """Return a way to run a solver, with the game as it is or in a file that is mapped."""
        game = self.game
        labels = sum(part.nbytes for part in game.labels)  # which are not read while it runs
        read = game.nbytes - labels if game.mapping is not None else -labels if mapped else 0
        state = solver.memory_estimate(game)
        beside = max(solver.memory_beside(game), self.restored)
        if self.warm:
            beside = max(beside, self._to_begin(solver))
        schedule = _PER_ITERATION * min(MOST_AT_ONCE, _CELLS_IN_A_STEP // max(1, game.cells))
        rest = _PASSING * game.cells + schedule + _ROOM
        return _Way(solver, mapped, self.taken + read + state + beside + rest)

    def _to_begin(self, solver: Solver) -> int:
        """Return the bytes that are taken to begin with a strategy, beside a run's state."""
        exact = 0
        if isinstance(solver, CFR) and solver.storage.precision == "int16":
            exact = in_float64(solver).memory_estimate(self.game)
        return _WARM * self.game.cells + exact


def fitted(
    make: Callable[[], CompiledGame],
    solver: Solver | Exact,
    limit: int | None,
    *,
    rounding: bool,
    given: CompiledGame | None = None,
    restored: int = 0,
    warm: bool = False,
    prepare: Callable[[Solver | Exact, CompiledGame], Any] = prepare_kernels,
) -> Fitted:
    """Compile a game, and choose what loses least of all ways to run a solver within a limit.

    Parameters
    ----------
    make : callable
        Compiles the game.
    solver : Solver or Exact
        What is to be run.
    limit : int
        Bytes; None is no limit.
    rounding : bool
        Whether numbers may be kept in fewer bits than the solver says, and best-response pruning
        may search more often than it would for little time.
    given : CompiledGame
        The game, if it was in memory before.
    restored : int
        Bytes of the checkpoint from which the run will go on.
    warm : bool
        Whether the run begins with a strategy.
    prepare : callable
        Makes kernels ready.

    Raises
    ------
    ParameterError
        If there is no such way; says what it would take at the least.
    """
    if limit is not None:
        return_free_memory()  # what is given back later was taken later
    before = (resident_memory() or 0) - (given.nbytes if given and not given.mapping else 0)
    game = make()
    unprepared = resident_memory() or 0
    prepare(solver, game)
    if limit is None or isinstance(solver, Exact):
        return Fitted(game, solver)
    kernels = max(0, (resident_memory() or 0) - unprepared)
    game.forget()
    return_free_memory()
    held = 0 if game.mapping is not None else game.nbytes
    taken = max(held, (resident_memory() or game.nbytes) - before - kernels)
    needs = _Needs(game, taken, restored, warm)
    ways = list(_ways(needs, solver, rounding=rounding, movable=given is None))
    chosen = next((way for way in ways if way.needed <= limit), None)
    if chosen is None:
        raise _refusal(needs, ways, limit)
    if chosen == ways[0]:
        return Fitted(game, solver)
    if chosen.mapped:
        path = set_aside(game)
        del game  # before it is mapped
        return_free_memory()
        game = take_up(path)
    if chosen.solver != solver:
        prepare(chosen.solver, game)
    words = f"{chosen.in_words()}, to keep to {in_units(limit)} (up to {in_units(chosen.needed)})"
    return Fitted(game, chosen.solver, words + _warning(game, solver, chosen.solver))


def _warning(game: CompiledGame, asked: Solver, chosen: Solver) -> str:
    """Return down to which NashConv a run converges if that is not as it was asked for."""
    precisions = [each.storage.precision for each in (asked, chosen) if isinstance(each, CFR)]
    if precisions[1:] != ["int16"] or precisions[0] == "int16":
        return ""
    return f"; NashConv levels off at about {_LEVEL_OF_INT16 * game.payoff_scale:.1g}"


def _ways(needs: _Needs, solver: Solver, *, rounding: bool, movable: bool) -> Iterator[_Way]:
    """Yield ways to run a solver: as it is asked for, and then with more and more loss."""
    yield needs.way(solver, mapped=False)
    mapped = movable and needs.game.mapping is None
    solvers = [solver, *(_smaller(solver) if rounding else ())]
    for each in solvers if mapped else solvers[1:]:
        yield needs.way(each, mapped=mapped)


def _smaller(solver: Solver) -> Iterator[Solver]:
    """Yield a solver with a store, or with fewer and fewer bits, as far as it can do with them."""
    policy = solver.pruning
    if isinstance(policy, BestResponsePruning) and policy.check_every is None:
        yield replace(solver, pruning=replace(policy, check_every=_SEARCH_EVERY))
    if isinstance(solver, CFR) and solver.storage.precision == "float64":
        for precision in _ROUNDED:
            with suppress(ParameterError):
                yield replace(solver, storage=Storage(precision))


def _refusal(needs: _Needs, ways: list[_Way], limit: int) -> ParameterError:
    """Return the error that says what a run would need, and what would need least."""
    asked, least = ways[0], min(ways, key=lambda way: way.needed)
    allowed = "" if least == asked else f", and {_at_the_least(least)}"
    others: list[Solver] = []
    if isinstance(asked.solver, CFR) and not needs.restored:  # what goes on stays as it is
        others += _smaller(asked.solver)
        with suppress(ParameterError):
            partial = replace(asked.solver, pruning=PartialPruning())
            others += [partial, *_smaller(partial)]
    mapped = any(way.mapped for way in ways)
    open_ways = [needs.way(each, mapped=mapped) for each in others]
    best = min([least, *open_ways], key=lambda way: way.needed)
    remedy = "allow more, or choose a smaller game"
    if best.needed < least.needed:
        pruned = best.solver.pruning != asked.solver.pruning
        how = " and ".join([*(["partial pruning"] if pruned else []), best.in_words()])
        remedy = f"choose {how} ({in_units(best.needed)}), {remedy}"
    return ParameterError(
        f"memory_limit of {in_units(limit)}: the run would take up to {in_units(asked.needed)} as "
        f"it is asked for{allowed}; {remedy}."
    )


def _at_the_least(way: _Way) -> str:
    return f"{in_units(way.needed)} at the least, with {way.in_words()}"
