"""What compiling costs beside asking the rules: ``python -m benchmarks.compiling``.

Processor time per history, of games that are compiled history by history: *walk* asks the rules for
everything that a compiler needs, once, and keeps nothing (OpenSpiel directly, without secateur);
*compile* is ``secateur.compile(rules)``; *pruning* the same with ``pruning=True``. *beyond* is what
compiling takes besides the walk. Each is the least of some rounds.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console

import secateur
from benchmarks.efg import write_efg
from benchmarks.table import Table, seconds
from secateur.compiled.from_histories import compile_histories
from secateur.games.open_spiel import OpenSpielGame
from secateur.games.rules import CHANCE, END, Game

LARGE = (
    "openspiel:tic_tac_toe",
    "openspiel:oshi_zumo(coins=3,horizon=12,size=2)",
    "openspiel:liars_dice(numdice=1,dice_sides=5)",
    "openspiel:leduc_poker",
    "goofspiel.efg",
    "leduc.efg",
    "goofspiel",
    "battleship",
    "random",
    "tic-tac-toe in tuples",
    "tic-tac-toe in dictionaries",
)
SMALL = ("openspiel:kuhn_poker", "kuhn.efg", "random", "nim in dictionaries")


class Stones(Game):
    """Two players take one to three stones in turn; who takes the last one wins."""

    name = "nim"

    def __init__(self, stones: int) -> None:
        self.stones = stones

    def start(self) -> dict[str, Any]:
        """Begin with all stones."""
        return {"left": self.stones, "moves": []}

    def turn(self, state: dict[str, Any]) -> int:
        """Take turns while there are stones."""
        return len(state["moves"]) % 2 if state["left"] else END

    def actions(self, state: dict[str, Any]) -> range:
        """Take what is left, three at most."""
        return range(1, min(3, state["left"]) + 1)

    def after(self, state: dict[str, Any], action: int) -> dict[str, Any]:
        """Write down a move."""
        return {"left": state["left"] - action, "moves": [*state["moves"], action]}

    def information(self, state: dict[str, Any]) -> str:
        """Show all moves."""
        return " ".join(map(str, state["moves"]))

    def payoffs(self, state: dict[str, Any]) -> tuple[float, float]:
        """Pay who took the last stone."""
        win = 1.0 if len(state["moves"]) % 2 else -1.0
        return win, -win


_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def _won(moves: tuple[int, ...] | list[int]) -> bool:
    """Whether who moved last has three in a row."""
    last = set(moves[(len(moves) - 1) % 2 :: 2])
    return any(last.issuperset(line) for line in _LINES)


class TuplesTicTacToe(Game):
    """Tic-tac-toe on a board of nine, with states that nothing can change."""

    name = "tic-tac-toe"

    def start(self) -> Any:
        """Begin with an empty board."""
        return ()

    def turn(self, state: Any) -> int:
        """Take turns until somebody has won or the board is full."""
        return END if len(state) == 9 or _won(state) else len(state) % 2

    def actions(self, state: Any) -> list[int]:
        """Choose an empty square."""
        return [square for square in range(9) if square not in state]

    def after(self, state: Any, action: int) -> Any:
        """Write down a move."""
        return (*state, action)

    def information(self, state: Any) -> str:
        """Show all moves."""
        return "".join(map(str, state))

    def payoffs(self, state: Any) -> tuple[float, float]:
        """Pay who moved last, if that won."""
        win = (1.0 if len(state) % 2 else -1.0) if _won(state) else 0.0
        return win, -win


class DictionariesTicTacToe(TuplesTicTacToe):
    """The same with states that could be changed."""

    def start(self) -> Any:
        """Begin with an empty board."""
        return {"moves": []}

    def turn(self, state: Any) -> int:
        """Take turns until somebody has won or the board is full."""
        return super().turn(state["moves"])

    def actions(self, state: Any) -> list[int]:
        """Choose an empty square."""
        return super().actions(state["moves"])

    def after(self, state: Any, action: int) -> Any:
        """Write down a move."""
        return {"moves": [*state["moves"], action]}

    def information(self, state: Any) -> str:
        """Show all moves."""
        return super().information(state["moves"])

    def payoffs(self, state: Any) -> tuple[float, float]:
        """Pay who moved last, if that won."""
        return super().payoffs(state["moves"])


def rules_of(name: str, directory: Path, *, small: bool) -> Game:
    """Return one of the games above."""
    sizes: dict[str, dict[str, Any]] = {
        "goofspiel": {"cards": 5},
        "battleship": {},
        "random": {} if small else {"seed": 4, "depth": 12},
    }
    own = {
        "tic-tac-toe in tuples": TuplesTicTacToe,
        "tic-tac-toe in dictionaries": DictionariesTicTacToe,
        "nim in dictionaries": lambda: Stones(6),
    }
    if name in own:
        return own[name]()
    title, is_file, _ = name.partition(".efg")
    if not is_file:
        return secateur.load(name, **sizes.get(name, {}))
    path = directory / name
    with path.open("w") as file:
        write_efg(secateur.load(title, **sizes.get(title, {})), file)
    return secateur.load(str(path))


def walk_rules(game: Game) -> int:
    """Ask the rules for everything once; return the number of histories."""
    todo, histories = [game.start()], 0
    while todo:
        state = todo.pop()
        histories += 1
        turn = game.turn(state)
        if turn == END:
            game.payoffs(state)
        elif turn == CHANCE:
            todo += [game.after(state, outcome) for outcome, p in game.chance(state) if p > 0]
        else:
            game.information(state)
            todo += [game.after(state, action) for action in game.actions(state)]
    return histories


def walk_open_spiel(game: OpenSpielGame) -> int:
    """Do the same without the adapter."""
    todo, histories = [game.open_spiel.new_initial_state()], 0
    while todo:
        state = todo.pop()
        histories += 1
        player = state.current_player()
        if player == -4:
            state.returns()
            continue
        if player == -1:
            numbers = [number for number, _ in state.chance_outcomes()]
        else:
            state.information_state_string()
            numbers = state.legal_actions()
        for number in numbers:
            state.action_to_string(number)
            todo.append(state.child(number))
    return histories


def least(rounds: int, work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the least processor time of some rounds, and what the last one gave."""
    best, found = float("inf"), None
    for _ in range(rounds):
        found = None
        gc.collect()
        start = time.process_time()
        found = work()
        best = min(best, time.process_time() - start)
    return best, found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="small games only")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", nargs="*", help="some of the games only")
    parser.add_argument("--out", type=Path, help="markdown file to write")
    options = parser.parse_args()
    names = options.games or (SMALL if options.small else LARGE)
    columns = ("game", "histories", "walk", "compile", "beyond", "pruning", "beyond", "in all")
    table = Table("Compiling, processor time per history in µs", columns)
    with tempfile.TemporaryDirectory() as directory:
        for name in names:
            game = rules_of(name, Path(directory), small=options.small)
            walk = walk_open_spiel if isinstance(game, OpenSpielGame) else walk_rules
            compile_histories(secateur.load("kuhn"), pruning=True)  # imports are not measured
            walked, histories = least(options.rounds, lambda: walk(game))  # noqa: B023
            plain, found = least(options.rounds, lambda: compile_histories(game))  # noqa: B023
            pruning, _ = least(
                options.rounds,
                lambda: compile_histories(game, pruning=True),  # noqa: B023
            )
            assert found.size.histories == histories
            each = [
                f"{1e6 * part / histories:.1f}"
                for part in (walked, plain, plain - walked, pruning, pruning - walked)
            ]
            table.rows.append((str(name), f"{histories:,}", *each, seconds(plain)))
            print(*table.rows[-1], sep="\t", flush=True)
    Console(width=140).print(table.for_terminal())
    if options.out:
        options.out.write_text(table.as_markdown())


if __name__ == "__main__":
    main()
