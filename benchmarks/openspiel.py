"""Games of OpenSpiel, solved here and judged there: ``python -m benchmarks.openspiel``.

Each game is read through OpenSpiel and solved by each method, to an exploitability or until time
is up; each strategy is handed back as a policy, and OpenSpiel's own exploitability of that policy
must agree with ours to nine digits.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Any

from benchmarks.clock import timed
from benchmarks.table import MISSING, Table, seconds, wide_console

GAMES = (
    "kuhn_poker",
    "leduc_poker",
    "leduc_poker(suit_isomorphism=True)",
    "universal_poker(betting=nolimit,bettingAbstraction=fullgame,blind=1 1,numRanks=3,numSuits=2,"
    "stack=4 4)",
    "universal_poker(betting=limit,numRounds=2,raiseSize=2 4,maxRaises=1 1,blind=1 1,"
    "firstPlayer=1 1,numSuits=2,numRanks=4,numHoleCards=1,numBoardCards=0 1,stack=20 20)",
    "add_noise(epsilon=1.,seed=3,game=leduc_poker())",
    "restricted_nash_response(game=leduc_poker(),fixed_player=1,p=0.3)",
    "normal_form_extensive_game(game=kuhn_poker())",
    "start_at(history=0;1,game=kuhn_poker())",
    "misere(game=kuhn_poker())",
    "liars_dice(numdice=1,dice_sides=3)",
    "liars_dice(numdice=1,dice_sides=6)",
    "goofspiel(imp_info=True,num_cards=4,points_order=descending)",
    "goofspiel(imp_info=True,num_cards=4,num_turns=2,points_order=ascending)",
    "goofspiel(egocentric=True,imp_info=True,num_cards=3,points_order=random)",
    "turn_based_simultaneous_game(game=goofspiel(imp_info=True,num_cards=3,points_order=descending))",
    "battleship(allow_repeated_shots=False,board_height=2,board_width=2,loss_multiplier=1.0,"
    "num_shots=2,ship_sizes=[1],ship_values=[1])",
    "oshi_zumo(coins=3,horizon=12,size=2)",
    "oshi_zumo(coins=5,horizon=4,size=1)",
    "oshi_zumo(coins=4,horizon=6,min_bid=1,size=2)",
    "blotto(coins=8,fields=3)",
    "blotto(coins=4,fields=4)",
    "matrix_brps",
    "matrix_mp",
    "matrix_rpsw",
    "dark_hex(board_size=2,gameversion=adh)",
    "dark_hex(board_size=2,gameversion=cdh)",
    "hex(board_size=3)",
    "havannah(board_size=2)",
    "tic_tac_toe",
    "go(board_size=2)",
    "clobber(columns=4,rows=2)",
    "dots_and_boxes(num_cols=2,num_rows=1)",
    "nim(pile_sizes=3;4)",
)
METHODS = (
    "cfr",
    "cfr+",
    "lcfr",
    "dcfr",
    "pcfr+",
    "hedge",
    "egt",
    "omd",
    "fp",
    "cfr, brp",
    "cfr+, rbp",
    "exact",
)
TARGET = 1e-3
SECONDS = 5.0
AGREEMENT = 1e-9
LARGEST_PROGRAM = 20_000
"""Sequences up to which the linear program is solved: it takes no limit of time."""

COLUMNS = ("game", "histories", "information sets", "reading", "apart at the most")


def solver_of(method: str) -> Any:
    """Return the solver of a method, which may name pruning after a comma."""
    import secateur

    name, _, pruning = method.partition(", ")
    solvers = {
        "cfr": secateur.recipes.cfr,
        "cfr+": secateur.recipes.cfr_plus,
        "lcfr": secateur.recipes.linear_cfr,
        "dcfr": secateur.recipes.dcfr,
        "pcfr+": secateur.recipes.pcfr_plus,
        "hedge": secateur.recipes.hedge,
        "egt": secateur.EGT,
        "omd": secateur.OptimisticMirrorDescent,
        "fp": secateur.FictitiousPlay,
        "exact": secateur.Exact,
    }
    if not pruning:
        return solvers[name]()
    policies = {
        "brp": secateur.BestResponsePruning(check_every=50),
        "rbp": secateur.RegretBasedPruning(),
    }
    return solvers[name](pruning=policies[pruning])


def measure(string: str, methods: tuple[str, ...], target: float, limit: float) -> tuple[str, ...]:
    """Return the row of one game; raise AssertionError if OpenSpiel does not agree."""
    import pyspiel

    import secateur

    with timed() as reading:
        game = secateur.compile(secateur.load(f"openspiel:{string}"), pruning=True)
    theirs = pyspiel.load_game_as_turn_based(string)
    apart = 0.0
    reached = []
    for method in methods:
        if method == "exact" and game.size.sequences > LARGEST_PROGRAM:
            reached.append(MISSING)
            continue
        until = secateur.until.exploitability(target) | secateur.until.seconds(limit)
        solver = solver_of(method)
        result = secateur.solve(game, solver, None if method == "exact" else until)
        found = pyspiel.exploitability(theirs, secateur.to_open_spiel_policy(result.strategy))
        assert math.isclose(found, result.exploitability, abs_tol=AGREEMENT), (string, method)
        apart = max(apart, abs(found - result.exploitability))
        reached.append(f"{max(0.0, result.exploitability):.1g}")
    return (
        f"`{string}`",
        f"{game.size.histories:,}",
        f"{game.size.information_sets:,}",
        seconds(reading.processor),
        f"{apart:.0e}",
        *reached,
    )


def main() -> None:
    """Solve all games and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--methods", nargs="+", default=METHODS, choices=METHODS)
    parser.add_argument("--target", type=float, default=TARGET, help="exploitability")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="limit of each run")
    parser.add_argument("--out", type=Path, help="markdown file to write")
    options = parser.parse_args()
    table = Table(
        f"Exploitability when {options.target:g} was reached or {options.seconds:g} s were over, "
        "and how far OpenSpiel's differs from it",
        (*COLUMNS, *options.methods),
    )
    console = wide_console(200)
    for string in options.games:
        row = measure(string, tuple(options.methods), options.target, options.seconds)
        table.rows.append(row)
        console.print(" ".join(row))
    console.print(table.for_terminal())
    if options.out:
        options.out.write_text(table.as_markdown())


if __name__ == "__main__":
    main()
