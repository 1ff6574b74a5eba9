"""What a run carries from one iteration to the next, so that it can be kept and go on later."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from secateur.errors import ParameterError

Array = npt.NDArray[Any]


class Saved(NamedTuple):
    """All that the next iteration depends on, by name. Arrays are views: they follow the run."""

    numbers: dict[str, float]
    arrays: dict[str, Array]


class Resumable:
    """A run that names what it carries on; whatever else it holds means nothing between steps."""

    _numbers: ClassVar[tuple[str, ...]]
    """The attributes that are numbers."""

    def _arrays(self) -> dict[str, Array]:
        """Return the arrays, each once, with all their room."""
        raise NotImplementedError

    def _used(self) -> dict[str, int]:
        """Return how much of an array is in use, for those that are longer."""
        return {}

    def saved(self) -> Saved:
        """Return what another state needs to go on from here."""
        used = self._used()
        return Saved(
            {name: getattr(self, name) for name in self._numbers},
            {name: part[: used.get(name, len(part))] for name, part in self._arrays().items()},
        )

    def restore(self, saved: Saved) -> None:
        """Go on from what another state of the same solver and game has saved.

        Raises
        ------
        ParameterError
            If it was saved by something else.
        """
        arrays, used = self._arrays(), self._used()
        if saved.numbers.keys() != set(self._numbers) or saved.arrays.keys() != arrays.keys():
            raise ParameterError("restore: that was saved by another algorithm.")
        for name, part in saved.arrays.items():
            room = arrays[name]
            fits = len(part) <= len(room) if name in used else len(part) == len(room)
            if part.dtype != room.dtype or not fits:
                raise ParameterError(f"restore: {name} was saved for another game or precision.")
        for name, part in saved.arrays.items():
            np.copyto(arrays[name][: len(part)], part)
        for name, number in saved.numbers.items():
            setattr(self, name, number)
