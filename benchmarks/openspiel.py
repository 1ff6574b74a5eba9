"""Games of OpenSpiel, solved here and judged there: ``python -m benchmarks.openspiel``.

Each game is read through OpenSpiel, solved by CFR+ to an exploitability of 0.001, and handed back
as a policy; OpenSpiel's own exploitability of that policy must agree with ours to nine digits.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from rich.console import Console

from benchmarks.clock import timed
from benchmarks.table import Table, seconds

GAMES = (
    "kuhn_poker",
    "leduc_poker",
    "liars_dice(numdice=1,dice_sides=6)",
    "universal_poker(betting=nolimit,bettingAbstraction=fullgame,blind=1 1,numRanks=3,numSuits=2,"
    "stack=4 4)",
    "goofspiel(imp_info=True,num_cards=4,points_order=descending)",
    "goofspiel(imp_info=True,num_cards=3,points_order=random)",
    "oshi_zumo(coins=4,horizon=5,size=1)",
    "blotto(coins=8,fields=3)",
    "dark_hex(board_size=2,gameversion=adh)",
    "matrix_brps",
    "nim(pile_sizes=2;3)",
    "misere(game=kuhn_poker())",
)
TARGET = 1e-3
AGREEMENT = 1e-9
COLUMNS = (
    "game",
    "histories",
    "information sets",
    "reading",
    "solving",
    "iterations",
    "exploitability",
    "by OpenSpiel",
    "their time",
)


def measure(string: str, target: float) -> tuple[str, ...]:
    """Return the row of one game; raise AssertionError if OpenSpiel does not agree."""
    import pyspiel

    import secateur

    with timed() as reading:
        game = secateur.compile(secateur.load(f"openspiel:{string}"))
    with timed() as solving:
        result = secateur.solve(game, until=secateur.exploitability(target))
    policy = secateur.to_open_spiel_policy(result.strategy)
    with timed() as judging:
        theirs = pyspiel.exploitability(pyspiel.load_game_as_turn_based(string), policy)
    assert math.isclose(theirs, result.exploitability, abs_tol=AGREEMENT), (string, theirs)
    return (
        f"`{string}`",
        f"{game.size.histories:,}",
        f"{game.size.information_sets:,}",
        seconds(reading.processor),
        seconds(solving.processor),
        f"{result.iterations:,}",
        f"{result.exploitability:.6f}",
        f"{theirs:.6f}",
        seconds(judging.processor),
    )


def main() -> None:
    """Solve all games and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--target", type=float, default=TARGET)
    parser.add_argument("--out", type=Path, help="markdown file to write")
    options = parser.parse_args()
    measure("kuhn_poker", options.target)  # loads the kernels
    table = Table(f"CFR+ to exploitability {options.target:g}", COLUMNS)
    console = Console()
    console.width = max(console.width, 160)  # the table is wide, and output may go to a file
    for string in options.games:
        table.rows.append(measure(string, options.target))
        console.print(" ".join(table.rows[-1]))
    console.print(table.for_terminal())
    if options.out:
        options.out.write_text(table.as_markdown())


if __name__ == "__main__":
    main()
