"""Tables from measurements."""

from __future__ import annotations

from benchmarks.results import US, Measured, quotient, speed_ratio
from benchmarks.table import MISSING, Table, megabytes, ratio, seconds, small

Measurements = dict[str, Measured]

NAMES = {
    US: "secateur",
    "secateur_unpruned": "secateur, no pruning",
    "openspiel": "OpenSpiel (C++)",
    "liteefg": "LiteEFG",
    "noregret": "noregret",
    "highs": "HiGHS, simplex",
    "highs_ipm": "HiGHS, interior point",
}

METHOD = (
    "Every number comes from a process of its own with one thread on one core; the solvers take "
    "turns, round after round. Times are processor time (user and system) of that process.",
    "An iteration is one of CFR+: regret matching+, both players in turn, average weighted by the "
    "number of the iteration. All solvers time the same iterations of the same game tree: a batch "
    "to warm up, then five more; the table has the median over batches and rounds. Ratios are "
    "medians over rounds of the peer's time over secateur's.",
    "Set-up (peers read a file written before, secateur reads the rules), compilation and "
    "evaluation are never part of the time of iterations.",
    "Time to a NashConv: one judge (benchmarks/sequence_form.py), independent of all solvers, "
    "evaluates each average strategy off the clock, on the same schedule of iterations for all, "
    "which grows by 5 %. The time is that of the timed batches up to the first strategy that "
    "reaches the target; runs under two seconds are repeated without stops and their median "
    "taken.",
    "Memory is resident memory of the process above that of the same process just after it "
    "imported the library: steady after the timed iterations, and at its peak, set-up included. "
    "Some of it does not depend on the game (secateur loads its compiled code then); the last "
    "column is what remains of the steady memory when that of the same solver on Kuhn poker is "
    "taken off.",
    "Evaluation is the library's own function, from the state of the solver to a number.",
    "Where all actions of an information set are worth the same, rounding decides whether a solver "
    "plays them alike or picks one. In leduc5 this happens from the second iteration on, and lets "
    "the NashConv of the same algorithm differ by a few percent.",
)

NOTES = {
    US: "secateur's average of a player is over the strategies that the opponent has faced: player "
    "0's after the update, player 1's before it. So player 0's average is LiteEFG's and player 1's "
    "is OpenSpiel's, to rounding. Its iterations skip what the opponent does not reach, with the "
    "same result, and get cheaper as strategies get purer; the row without pruning visits "
    "everything, always.",
    "openspiel": "OpenSpiel's CFRPlusSolver on the tree as an efg_game, information sets named by "
    "number only. Its own leduc_poker and liars_dice run slower than the same trees in this form.",
    "liteefg": "LiteEFG's CFRplus baseline in the loop of its own training function, which adds a "
    "strategy to the average after the update: the first, uniform one is left out, so its NashConv "
    "differs a little at the same iteration. Added before the update, it agrees with OpenSpiel's.",
    "noregret": "noregret on its floating-point kernel (numpy and scipy, double precision). It "
    "takes a sum of positive regrets below 1e-8 for zero.",
    "highs": "scipy.optimize.linprog on the sequence form; exact, so one time serves all targets.",
}


def speed_table(game: str, measured: Measurements, smallest: Measurements) -> Table:
    """Return times per iteration and memory, also beyond that on the smallest game."""
    times = "iteration", "× secateur", "set-up", "first batch"
    memories = "steady memory", "peak memory", "more than on kuhn"
    table = Table(f"{game}: one iteration of CFR+", ("solver", *times, *memories))
    for solver, each in measured.items():
        if each.speeds:
            table.rows.append(
                (
                    NAMES[solver],
                    seconds(each.iteration),
                    ratio(speed_ratio(each, measured.get(US, Measured()))),
                    seconds(each.set_up),
                    seconds(each.warm_up),
                    megabytes(each.memory("steady")),
                    megabytes(each.memory("peak")),
                    megabytes(_more_memory(each, smallest.get(solver))),
                )
            )
    return table


def target_table(game: str, measured: Measurements, targets: list[float]) -> Table:
    """Return times to a NashConv, and of the evaluation."""
    columns = ["solver"]
    for target in targets:
        columns += [f"to {target:g}", "iterations", "× secateur"]
    table = Table(f"{game}: time to a NashConv", (*columns, "evaluation", "× secateur"))
    us = measured.get(US, Measured())
    for solver, each in measured.items():
        row = [NAMES[solver]]
        for target in targets:
            run = each.reached(target)
            time = each.seconds_to(target)
            row += [
                seconds(time) if time is not None else _not_reached(each),
                str(run["iterations"]) if run else MISSING,
                ratio(quotient(time, us.seconds_to(target))),
            ]
        own = each.convergence["evaluation"] if each.convergence else None
        ours = us.convergence["evaluation"] if us.convergence else None
        table.rows.append((*row, seconds(own), ratio(quotient(own, ours))))
    return table


def agreement_table(game: str, measured: Measurements) -> Table:
    """Return what shows that all solvers ran the same algorithm on the same game."""
    watched = sorted(
        {
            int(at)
            for each in measured.values()
            for at in (each.convergence or {}).get("watched", ())
        }
    )
    columns = ("solver", *(f"at {at}" for at in watched), "at the end", "by its own", "value")
    table = Table(f"{game}: NashConv by the judge, and the value of the game", columns)
    for solver, each in measured.items():
        if each.convergence:
            last = each.convergence["last"]
            at = [small(each.convergence["watched"].get(str(number))) for number in watched]
            ends = last["nash_conv"], last["own_nash_conv"], last["value"]
            table.rows.append((NAMES[solver], *at, *(f"{end:.6g}" for end in ends)))
        elif each.solution and "value" in each.solution:
            blank = [MISSING] * len(watched)
            ends = small(each.solution["nash_conv"]), MISSING, f"{each.solution['value']:.6g}"
            table.rows.append((NAMES[solver], *blank, *ends))
    return table


def _more_memory(each: Measured, other: Measured | None) -> float | None:
    memory = each.memory("steady")
    base = other.memory("steady") if other else None
    return None if memory is None or base is None else memory - base


def _not_reached(each: Measured) -> str:
    if each.failure:
        return "failed"
    run = each.convergence["last"] if each.convergence else each.solution
    return f"> {run['seconds']:.3g} s" if run else MISSING
