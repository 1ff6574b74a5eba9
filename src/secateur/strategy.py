"""A strategy profile: for each information set, how likely each action is; and its files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from secateur import checks
from secateur.compiled.game import CompiledGame, InformationSet, checked_game
from secateur.errors import ParameterError, SecateurError
from secateur.extras import how_to_install
from secateur.kernels.core import evaluate
from secateur.kernels.core.workspace import Workspace
from secateur.strategy_files import compact, readable
from secateur.strategy_files.forms import form_of
from secateur.strategy_files.identity import SUM_TOLERANCE
from secateur.worth import values_of

if TYPE_CHECKING:
    from pandas import DataFrame

Float = npt.NDArray[np.float64]
Write = Callable[[Path, dict[str, Any]], None]


class Strategy(Mapping[str, dict[str, float]]):
    """Behavior of both players in a compiled game; it does not change.

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
        game = checked_game("Strategy", game)
        self._set(game, _checked(game, probabilities), remarks)

    @classmethod
    def trusted(
        cls, game: CompiledGame, probabilities: Float, remarks: Mapping[str, Any] | None = None
    ) -> Strategy:
        """Return the strategy of an array that is known to be one, and that nobody will change."""
        strategy = cls.__new__(cls)
        strategy._set(game, probabilities, remarks)
        return strategy

    def _set(
        self, game: CompiledGame, probabilities: Float, remarks: Mapping[str, Any] | None
    ) -> None:
        self.game = game
        self.own_probabilities = probabilities
        self.remarks = dict(remarks or {})
        self._write: Write | None = None

    @classmethod
    def scattered(cls, game: CompiledGame, probabilities: Float, write: Write) -> Strategy:
        """Return the strategy of the trunk of a game, and what writes that of the whole game."""
        strategy = cls.trusted(game, probabilities)
        strategy._write = write
        return strategy

    @property
    def probabilities(self) -> Float:
        """One probability per sequence, in the order of the compiled game; to be read only."""
        return _read_only(self.own_probabilities)

    @property
    def plan(self) -> Float:
        """Realization plan: the product of the player's own probabilities up to each sequence."""
        return _read_only(self.own_plan)

    # Kernels are compiled once more for arrays that are read only: they get these.

    own_probabilities: Float

    @cached_property
    def own_plan(self) -> Float:
        """The array behind :attr:`plan`."""
        plan = np.empty(self.game.cells)
        here, there = Workspace.of(self.game), Workspace.of(self.game)
        evaluate.realization_plan(self.game.arrays, self.own_probabilities, plan, here, there)
        return plan

    @staticmethod
    def from_plan(game: CompiledGame, plan: npt.NDArray[Any]) -> Strategy:
        """Return the behavior of a realization plan, or of a weighted sum of some."""
        game = checked_game("Strategy.from_plan", game)
        plan = _checked_array("Strategy.from_plan", game, plan)
        probabilities = np.empty(game.cells)
        evaluate.behavior(game.arrays, plan, probabilities)
        return Strategy.trusted(game, probabilities)

    @staticmethod
    def of_sums(game: CompiledGame, sums: Float) -> Strategy:
        """Return the behavior of a weighted sum of plans, which it takes over and overwrites."""
        evaluate.behavior(game.arrays, sums, sums)
        return Strategy.trusted(game, sums)

    @staticmethod
    def uniform(game: CompiledGame) -> Strategy:
        """Return the strategy that plays all actions alike."""
        game = checked_game("Strategy.uniform", game)
        return Strategy.of_sums(game, np.zeros(game.cells))

    def __getitem__(self, label: str) -> dict[str, float]:
        found = self.game.by_label[label]
        if len(found) > 1:
            raise ParameterError(
                f"strategy[{label!r}]: both players have it; use strategy.at(player, {label!r})."
            )
        return self._read(found[0])

    def at(self, player: int, label: str) -> dict[str, float]:
        """Return the probabilities of a player's actions at an information set."""
        player = checks.player(f"strategy.at({checks.shown(player)}, {label!r})", player)
        for infoset in self.game.by_label.get(label, ()):
            if infoset.player == player:
                return self._read(infoset)
        raise KeyError(label)

    def _read(self, infoset: InformationSet) -> dict[str, float]:
        probabilities = self.own_probabilities[infoset.cells].tolist()
        return dict(zip(infoset.actions, probabilities, strict=True))

    def __iter__(self) -> Iterator[str]:
        return iter(self.game.by_label)

    def __len__(self) -> int:
        return len(self.game.by_label)

    def __repr__(self) -> str:
        return f"<Strategy of {self.game}: {self.game.size.information_sets:,} information sets>"

    def to_frame(self) -> DataFrame:
        """Return a table of pandas (the extra ``pandas``): a row for each action.

        Columns are ``player``, ``information_set``, ``action``, ``probability`` and ``own_reach``,
        the probability that the player does all that leads to the action, and then the action. If
        the game was compiled with ``pruning=True`` there are also ``value``, ``loss`` and
        ``reach`` of :class:`~secateur.worth.ActionValues`.
        """
        try:
            import pandas as pd  # noqa: PLC0415
        except ImportError as error:
            raise SecateurError(
                f"to_frame needs pandas, which is not installed; run: {how_to_install('pandas')}"
            ) from error
        infosets = list(self.game.information_sets())
        cells = [list(range(*each.cells.indices(self.game.cells))) for each in infosets]
        order = np.fromiter((cell for mine in cells for cell in mine), np.int64, self.game.cells)
        counts = [len(each.actions) for each in infosets]
        columns: dict[str, Any] = {
            "player": np.repeat([each.player for each in infosets], counts),
            "information_set": np.repeat(
                np.array([each.label for each in infosets], object), counts
            ),
            "action": [action for each in infosets for action in each.actions],
            "probability": self.own_probabilities[order],
            "own_reach": self.own_plan[order],
        }
        if self.game.pruning is not None:
            values = values_of(self.game, self.own_plan, self.own_probabilities)
            columns |= {name: part[order] for name, part in values._asdict().items()}
        return pd.DataFrame(columns)

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
        path = checks.path(f"save({checks.shown(path)})", path)
        remarks = {**self.remarks, **remarks}
        if self._write is not None:
            if compact.is_name_of(path) or precision != "float64":
                raise ParameterError(
                    f"save({checks.shown(str(path))}): strategies of runs on a cluster are written "
                    "to readable files; give a name that does not end in .bin."
                )
            self._write(path, remarks)
        elif compact.is_name_of(path):
            compact.write(path, self.game, self.own_probabilities, remarks, precision)
        elif precision == "float64":
            readable.write(path, self.game, self.own_probabilities, remarks)
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
    game = checked_game("load_strategy", game)
    path = checks.path(f"load_strategy(game, {checks.shown(path)})", path)
    return Strategy.trusted(game, *form_of(path).read(path, game))


def checked_strategy(asked: str, strategy: object, game: CompiledGame | None = None) -> Strategy:
    """Return a strategy if it is one, and of that game, which may have been compiled again."""
    if not isinstance(strategy, Strategy):
        checks.refuse(
            asked,
            f"{checks.shown(strategy)} is no strategy; pass one, such as result.strategy or "
            "secateur.Strategy(game, probabilities)",
        )
    theirs = strategy.game
    if game is None or theirs is game:
        return strategy
    if theirs.cells != game.cells or theirs.strategy_fingerprint != game.strategy_fingerprint:
        checks.refuse(
            asked, f"the strategy is of {theirs}, not of {game}; pass the game that it was made for"
        )
    return strategy


def _read_only(array: Float) -> Float:
    view = array.view()
    view.flags.writeable = False
    return view


def _checked_array(asked: str, game: CompiledGame, numbers: Any) -> npt.NDArray[Any]:
    """Return an array of finite numbers, 0 or more, one per sequence of the game."""
    try:
        array = np.asarray(numbers)
    except ValueError:
        checks.refuse(asked, f"{checks.shown(numbers)} is no array of numbers; pass one")
    if array.dtype.kind not in "fiu" or array.shape != (game.cells,):
        checks.refuse(
            asked,
            f"an array of type {array.dtype} and shape {array.shape}; pass {game.cells:,} numbers, "
            f"one per sequence of {game}",
        )
    # written so that numbers which are none fail, too; masks are as long as the game
    if not (array.min(initial=0.0) >= 0.0 and array.max(initial=0.0) < np.inf):
        bad = np.flatnonzero(~((array >= 0.0) & (array < np.inf)))
        infoset = _at(game, int(bad[0]))
        checks.refuse(
            asked,
            f"{array[bad[0]]:g} at information set {infoset.label!r} of player {infoset.player}; "
            "use finite numbers, 0 or more",
        )
    return array


def _checked(game: CompiledGame, numbers: Any) -> Float:
    """Return a copy of probabilities that sum to one at every information set."""
    probabilities = _checked_array("Strategy", game, numbers).astype(np.float64)
    scaled = np.empty(game.cells)
    evaluate.behavior(game.arrays, probabilities, scaled)
    bad = np.flatnonzero(~(abs(probabilities - scaled) <= SUM_TOLERANCE))
    if len(bad):
        infoset = _at(game, int(bad[0]))
        checks.refuse(
            "Strategy",
            f"probabilities at information set {infoset.label!r} of player {infoset.player} sum "
            f"to {probabilities[infoset.cells].sum():.9g}; they must sum to 1 "
            "(Strategy.from_plan divides by the sum)",
        )
    return probabilities


def _at(game: CompiledGame, cell: int) -> InformationSet:
    """Return the information set that a sequence belongs to."""
    block = int(np.searchsorted(game.arrays.first_cell[1:], cell, side="right"))
    lane = (cell - int(game.arrays.first_cell[block])) % int(game.arrays.lanes[block])
    return next(each for i, each in enumerate(game.information_sets_of(block)) if i == lane)
