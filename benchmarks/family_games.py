"""The games on which the CFR family is compared: different kinds, from 100 to a million places."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from secateur import Game


@dataclass(frozen=True)
class FamilyGame:
    """A game, and what is told about it."""

    name: str
    kind: str
    source: str
    rules: Callable[[], Game]


def _loaded(name: str, **parameters: Any) -> Game:
    import secateur

    return secateur.load(name, **parameters)


def _pursuit() -> Game:
    from benchmarks.pursuit import Pursuit

    return Pursuit()


def _twelve_bet_sizes() -> Game:
    from benchmarks.pruning import rules_of

    return rules_of("12 bet sizes")


def _written_and_read(name: str, **parameters: Any) -> Game:
    """Return a game as it is read from Gambit's format."""
    from benchmarks.efg import write_efg

    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / f"{name}.efg"
        with path.open("w") as file:
            write_efg(_loaded(name, **parameters), file)
        return _loaded(str(path))


def _built_in(title: str, kind: str, name: str, **parameters: Any) -> FamilyGame:
    words = " ".join(f"{key}={value}" for key, value in parameters.items())
    return FamilyGame(title, kind, f"`{name} {words}`".replace(" `", "`"), _load(name, parameters))


def _open_spiel(title: str, kind: str, string: str) -> FamilyGame:
    return FamilyGame(title, kind, f"OpenSpiel `{string}`", _load(f"openspiel:{string}", {}))


def _load(name: str, parameters: dict[str, Any]) -> Callable[[], Game]:
    return partial(_loaded, name, **parameters)


_SHAPELESS: dict[str, Any] = {"depth": 12, "stop": 0.05, "chance_moves": 0.15, "observability": 0.5}
_LIKE_POKER: dict[str, Any] = {"structured": True, "depth": 9, "branching": 4, "stop": 0.05}

GAMES = {
    game.name: game
    for game in (
        _built_in("leduc", "poker", "leduc"),
        _built_in("leduc, 13 ranks", "poker", "leduc", ranks=13),
        _built_in("leduc5", "poker", "leduc5"),
        FamilyGame(
            "leduc, 12 bet sizes",
            "poker",
            "`12 bet sizes` of `benchmarks.pruning`",
            _twelve_bet_sizes,
        ),
        FamilyGame(
            "leduc, all suits",
            "poker",
            "`leduc merge_suits=False`, written as `.efg`",
            partial(_written_and_read, "leduc", merge_suits=False),
        ),
        _open_spiel(
            "no-limit poker",
            "poker",
            "universal_poker(betting=nolimit,bettingAbstraction=fullgame,blind=1 1,numRanks=3,"
            "numSuits=2,stack=8 8)",
        ),
        _built_in("liar's dice", "bluffing", "liars_dice"),
        _built_in("goofspiel", "bidding, bids shown", "goofspiel", cards=5),
        _built_in(
            "hidden goofspiel",
            "bidding, bids hidden",
            "goofspiel",
            cards=4,
            prizes="random",
            reveal_bids=False,
        ),
        _open_spiel("oshi-zumo", "bidding, bids shown", "oshi_zumo(coins=5,horizon=4,size=1)"),
        _open_spiel("blotto", "one shot", "blotto(coins=10,fields=3)"),
        _built_in("battleship", "search", "battleship"),
        _built_in("battleship, 2 by 3", "search", "battleship", columns=3, shots=3),
        FamilyGame("pursuit", "security", "`benchmarks/pursuit.py`", _pursuit),
        _open_spiel("dark hex", "board, hidden", "dark_hex(board_size=2,gameversion=adh)"),
        _open_spiel("hex", "board, seen", "hex(board_size=3)"),
        _built_in("random", "random", "random", seed=4, **_SHAPELESS),
        _built_in("random, like poker", "random", "random", seed=2, **_LIKE_POKER),
    )
}
