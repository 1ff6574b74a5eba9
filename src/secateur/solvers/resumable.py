"""What a run carries from one iteration to the next, so that it can be kept and go on later."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur import checks
from secateur.archive import is_finite
from secateur.compiled.game import CompiledGame
from secateur.errors import ParameterError
from secateur.schema import shortened
from secateur.strategy import Strategy

Array = npt.NDArray[Any]

UNBOUNDED = frozenset({"deadlines"})
"""Arrays in which infinity means something."""

_LARGEST_COUNT, _LARGEST = 2**62, 1e300
"""What counts and weights never come to."""

_LONGEST_ORIGIN = 1000
"""Characters of a solver and a game that an error repeats."""


class Saved(NamedTuple):
    """All that the next iteration depends on, by name. Arrays are views: they follow the run."""

    numbers: dict[str, float]
    arrays: dict[str, Array]
    origin: str
    """The solver and the game, which must be the same where it is restored."""


class Resumable(ABC):
    """A run that names what it carries on; whatever else it holds means nothing between steps."""

    solver: Any
    game: CompiledGame

    _numbers: ClassVar[tuple[str, ...]]
    """The attributes that are numbers."""

    @abstractmethod
    def _arrays(self) -> dict[str, Array]:
        """Return the arrays, each once, with all their room."""

    @abstractmethod
    def held(self) -> dict[str, Array]:
        """Return the arrays in memory, each once, without those of the compiled game.

        Of reserves that is what is in use; numbers that there are once per iteration do not count.
        """

    @property
    def bytes_resident(self) -> int:
        """Bytes of the arrays that this run holds, without those of the compiled game."""
        return sum(part.nbytes for part in self.held().values())

    @abstractmethod
    def average_strategy(self) -> Strategy:
        """Return the strategy that converges to an equilibrium: the average, if there is one."""

    def last_strategy(self) -> Strategy:
        """Return it, and give up all else: nothing is asked of this run again.

        Runs that can make it of their own numbers do not need more memory at their end.
        """
        return self.average_strategy()

    def _used(self) -> dict[str, int]:
        """Return how much of an array is in use, for those that are longer."""
        return {}

    def saved(self) -> Saved:
        """Return what another state needs to go on from here."""
        used = self._used()
        return Saved(
            {name: getattr(self, name) for name in self._numbers},
            {name: part[: used.get(name, len(part))] for name, part in self._arrays().items()},
            self._origin,
        )

    @property
    def _origin(self) -> str:
        return f"{self.solver!r} on {self.game} ({self.game.fingerprint})"

    def has_nan(self) -> bool:
        """Whether a number that the next iteration depends on is none, or infinite for no reason.

        Such a run could not be kept, either.
        """
        used = self._used()
        return not all(
            self._is_sound(name, part[: used.get(name, len(part))])
            for name, part in self._arrays().items()
        )

    def _is_sound(self, name: str, part: Array) -> bool:
        """Return whether all numbers of an array can be what a run has come to."""
        return not np.isnan(part).any() if name in UNBOUNDED else is_finite(part)

    def _check_saved(self, saved: Saved) -> None:
        """Raise ParameterError unless this state can go on from what another has saved."""
        arrays, used = self._arrays(), self._used()
        if not isinstance(saved.numbers, dict) or not isinstance(saved.arrays, dict):
            raise ParameterError("restore: that is not as state.saved() has returned it.")
        if saved.numbers.keys() != set(self._numbers) or saved.arrays.keys() != arrays.keys():
            raise ParameterError("restore: that was saved by another algorithm.")
        for name, number in saved.numbers.items():
            whole = isinstance(getattr(self, name), int)
            most = _LARGEST_COUNT if whole else _LARGEST
            kind = int if whole else int | float
            if isinstance(number, bool) or not isinstance(number, kind) or not 0 <= number <= most:
                raise ParameterError(f"restore: {name} is {checks.shown(number)}, which cannot be.")
        for name, part in saved.arrays.items():
            room = arrays[name]
            if not isinstance(part, np.ndarray) or part.ndim != 1:
                raise ParameterError(f"restore: {name} is {checks.shown(part)}, which cannot be.")
            fits = len(part) <= len(room) if name in used else len(part) == len(room)
            if part.dtype != room.dtype or not fits:
                raise ParameterError(f"restore: {name} was saved for another game or precision.")
            if not self._is_sound(name, part):
                raise ParameterError(f"restore: {name} has numbers that are not finite.")

    def restore(self, saved: Saved) -> None:
        """Go on from what another state of the same solver and game has saved.

        Raises
        ------
        ParameterError
            If it was saved by another solver, with other options, or on another game, or cannot
            have been saved at all; then this state is what it was.
        """
        checks.instance_of(Saved, "pass what state.saved() has returned")(
            f"restore({checks.shown(saved)})", saved
        )
        if saved.origin != self._origin:
            theirs = shortened(saved.origin, _LONGEST_ORIGIN)
            raise ParameterError(
                f"restore: that was saved by {theirs}, but this is {self._origin}; start the same "
                "solver on the same game."
            )
        self._take(saved)

    def _take(self, saved: Saved) -> None:
        """Go on from what was saved, if it has the right form."""
        self._check_saved(saved)
        arrays = self._arrays()
        for name, part in saved.arrays.items():
            np.copyto(arrays[name][: len(part)], part)
        for name, number in saved.numbers.items():
            # kernels are compiled for floats, whatever a file makes of them
            setattr(self, name, type(getattr(self, name))(number))
