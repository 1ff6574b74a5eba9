"""A strategy profile: for each information set, how likely each action is; and its files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from secateur.compiled.game import CompiledGame, InformationSet
from secateur.errors import ParameterError
from secateur.kernels import evaluate
from secateur.kernels.workspace import Workspace
from secateur.strategy_files import compact, readable
from secateur.strategy_files.forms import form_of

Float = npt.NDArray[np.float64]


class Strategy(Mapping[str, dict[str, float]]):
    """Behaviour of both players in a compiled game.

    ``strategy["Q check bet2"]`` is a dictionary from action to probability. Should both players
    have an information set of the same label, ask for ``strategy.at(player, label)``.

    Parameters
    ----------
    game : CompiledGame
        The game that is played.
    probabilities : array
        One probability per sequence, in the order of the compiled game.
    remarks : mapping
        What else is known about it (exploitability, iterations...); goes into its files.
    """

    def __init__(
        self, game: CompiledGame, probabilities: Float, remarks: Mapping[str, Any] | None = None
    ) -> None:
        self.game = game
        self.probabilities = np.asarray(probabilities, np.float64)
        self.remarks = dict(remarks or {})

    @staticmethod
    def from_plan(game: CompiledGame, plan: npt.NDArray[Any]) -> Strategy:
        """Return the behaviour of a realization plan, or of a weighted sum of some."""
        probabilities = np.empty(game.cells)
        evaluate.behaviour(game.arrays, plan, probabilities)
        return Strategy(game, probabilities)

    @staticmethod
    def uniform(game: CompiledGame) -> Strategy:
        """Return the strategy that plays all actions alike."""
        return Strategy.from_plan(game, np.zeros(game.cells))

    @cached_property
    def plan(self) -> Float:
        """Realization plan: the product of the player's own probabilities up to each sequence."""
        plan = np.empty(self.game.cells)
        here, there = Workspace.of(self.game), Workspace.of(self.game)
        evaluate.realization_plan(self.game.arrays, self.probabilities, plan, here, there)
        return plan

    def __getitem__(self, label: str) -> dict[str, float]:
        found = self.game.by_label[label]
        if len(found) > 1:
            raise ParameterError(
                f"strategy[{label!r}]: both players have it; use strategy.at(player, {label!r})."
            )
        return self._read(found[0])

    def at(self, player: int, label: str) -> dict[str, float]:
        """Return the probabilities of a player's actions at an information set."""
        for infoset in self.game.by_label.get(label, ()):
            if infoset.player == player:
                return self._read(infoset)
        raise KeyError(label)

    def _read(self, infoset: InformationSet) -> dict[str, float]:
        probabilities = self.probabilities[infoset.cells].tolist()
        return dict(zip(infoset.actions, probabilities, strict=True))

    def __iter__(self) -> Iterator[str]:
        return iter(self.game.by_label)

    def __len__(self) -> int:
        return len(self.game.by_label)

    def __repr__(self) -> str:
        return f"<Strategy of {self.game}: {self.game.size.information_sets:,} information sets>"

    def save(self, path: str | Path, *, precision: str = "float64", **remarks: Any) -> None:
        """Write a file; it appears whole or not at all.

        Parameters
        ----------
        path : str or Path
            A name that ends in ``.bin`` gets a compact file, which is read quickly; any other name
            a readable one, JSON with one information set a line.
        precision : {"float64", "float32"}
            Of the probabilities in a compact file; float32 takes half the room and seven digits.
        **remarks : Any
            What else the file shall say (exploitability, algorithm...).
        """
        remarks = {**self.remarks, **remarks}
        if compact.is_name_of(path):
            compact.write(path, self.game, self.probabilities, remarks, precision)
        elif precision == "float64":
            readable.write(path, self.game, self.probabilities, remarks)
        else:
            raise ParameterError(
                f"save: precision {precision!r} is for compact files; "
                "give a name that ends in .bin, or leave it out."
            )


def load_strategy(game: CompiledGame, path: str | Path) -> Strategy:
    """Read a strategy file, readable or compact, that was written for this game.

    What else the file says is in the strategy's ``remarks``. A compact file is memory-mapped; it
    must stay where it is while the strategy is in use.
    """
    path = Path(path)
    return Strategy(game, *form_of(path).read(path, game))
