"""A strategy profile: for each information set, how likely each action is; and its files."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from secateur.atomic import new_file
from secateur.compiled.game import CompiledGame, InformationSet
from secateur.errors import FileError, ParameterError
from secateur.kernels import evaluate
from secateur.kernels.workspace import Workspace

Float = npt.NDArray[np.float64]

FORMAT = "secateur strategy"
VERSION = 1
_SUM_TOLERANCE = 1e-6


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
    """

    def __init__(self, game: CompiledGame, probabilities: Float) -> None:
        self.game = game
        self.probabilities = np.asarray(probabilities, np.float64)

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

    def save(self, path: str | Path, **remarks: Any) -> None:
        """Write a readable file: JSON with one information set a line.

        The file appears whole or not at all. ``remarks`` (exploitability, algorithm...) go on top.
        """
        with new_file(path) as file:
            for line in self._lines(remarks):
                file.write(line.encode())

    def _lines(self, remarks: dict[str, Any]) -> Iterator[str]:
        head = {
            "format": FORMAT,
            "version": VERSION,
            "game": self.game.name,
            "parameters": self.game.parameters,
            **remarks,
        }
        yield "{"
        for key, value in head.items():
            yield f"{json.dumps(key)}: {json.dumps(value)},\n"
        yield '"strategy": [\n'
        separator = ""
        for infoset in self.game.information_sets():
            entry = {
                "player": infoset.player,
                "information_set": infoset.label,
                "actions": self._read(infoset),
            }
            yield separator + json.dumps(entry, ensure_ascii=False)
            separator = ",\n"
        yield "\n]}\n"


def load_strategy(game: CompiledGame, path: str | Path) -> Strategy:
    """Read a strategy file that was written for this game."""
    path = Path(path)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}; check the path.") from error
    except (ValueError, RecursionError) as error:
        raise FileError(
            f"{path} is not a strategy file ({error}); write one with --out."
        ) from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise FileError(f"{path} is not a strategy file; write one with 'solve --out'.")
    if content.get("version") != VERSION:
        raise FileError(
            f"{path} has version {content.get('version')!r} of the format; "
            f"this release reads version {VERSION}."
        )
    mine = json.loads(json.dumps([game.name, game.parameters]))
    theirs = [content.get("game"), content.get("parameters")]
    if mine != theirs:
        raise FileError(
            f"{path} holds a strategy for {_described(theirs)}, not for {_described(mine)}; "
            "name the game it was solved for."
        )
    return Strategy(game, _probabilities(game, content.get("strategy"), path))


def _probabilities(game: CompiledGame, entries: Any, path: Path) -> Float:
    if not isinstance(entries, list):
        raise FileError(f"{path}: 'strategy' must be a list of information sets.")
    probabilities = np.full(game.cells, np.nan)
    for number, entry in enumerate(entries, start=1):
        where = f"{path}, information set {number}"
        try:
            player, label, actions = entry["player"], entry["information_set"], entry["actions"]
            values = {str(action): float(p) for action, p in actions.items()}
        except (TypeError, KeyError, AttributeError, ValueError, OverflowError):
            raise FileError(
                f"{where}: must have 'player', 'information_set' and 'actions' with probabilities."
            ) from None
        known = game.by_label.get(label, ()) if isinstance(label, str) else ()
        infoset = next((each for each in known if each.player == player), None)
        where = f"{where} ({label!r} of player {player})"
        if infoset is None:
            raise FileError(f"{where}: {game} has no such information set.")
        if set(values) != set(infoset.actions):
            raise FileError(
                f"{where}: actions {sorted(values)}, but the game has {sorted(infoset.actions)}."
            )
        if not all(0.0 <= p <= 1.0 + _SUM_TOLERANCE for p in values.values()):
            raise FileError(f"{where}: probabilities {list(values.values())} must be from 0 to 1.")
        total = math.fsum(values.values())
        if not abs(total - 1.0) <= _SUM_TOLERANCE:
            raise FileError(f"{where}: probabilities sum to {total:.9g}; they must sum to 1.")
        if not np.isnan(probabilities[infoset.cells.start]):
            raise FileError(f"{where}: appears twice; remove one.")
        probabilities[infoset.cells] = [values[action] for action in infoset.actions]
    missing = int(np.isnan(probabilities).sum())
    if missing:
        raise FileError(
            f"{path}: {missing} of {game.cells} probabilities are missing; "
            "every information set of the game must be listed."
        )
    return probabilities


def _described(identity: list[Any]) -> str:
    name, parameters = identity
    if not isinstance(parameters, dict) or not parameters:
        return str(name)
    return f"{name}({', '.join(f'{key}={value}' for key, value in parameters.items())})"
