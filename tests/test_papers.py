"""Figures of the papers: what they run, what they measure, and how claims are judged."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import secateur
from secateur.cli import reproduce_options
from secateur.papers import beyond, gap_technique, statements
from secateur.papers.budgets import FULL, QUICK, Budget
from secateur.papers.claims import Band, Claim, Verdict
from secateur.papers.curves import (
    Curve,
    brp,
    brp_with_plain_tests,
    brp_with_two_rules,
    egt,
    partial,
    rbp,
    unpruned,
)
from secateur.papers.figure import Figure
from secateur.papers.figures import FIGURES
from secateur.papers.games import load_game
from secateur.papers.measures import (
    early_lead,
    equal_iterations_ratio,
    nodes_ratio,
    nodes_to_nash_conv,
    space_factor,
)
from secateur.papers.plots import draw, save
from secateur.papers.reweighted import WeightedAverage
from secateur.papers.runs import Measurement, Run, run_curve, run_curves
from secateur.papers.tables import COLUMNS, as_csv, as_markdown

NAMES = {
    *("brp-fig1", "brp-fig2", "brp-fig3", "brp-fig4", "total-rbp-fig1", "total-rbp-fig2"),
    *("thresholding-fig1", "thresholding-fig2", "beyond", "beyond-large"),
}
OUR_OWN = {"beyond", "beyond-large"}
TINY = {"leduc": Budget(60_000, 20_000), "leduc5": Budget(2_000_000, 1_000_000)}


def ignore(curve: Curve, now: Measurement) -> None:
    pass


def run_of(
    exploitability: list[float] | None = None,
    share: list[float] | None = None,
) -> Run:
    """Return a run with equally spaced snapshots; one of the lists says how many."""
    count = len(exploitability or share or [])
    gaps = exploitability or [1.0] * count
    shares = share or [1.0] * count
    return [
        Measurement(
            iteration=index + 1,
            nodes_touched=100 * (index + 1),
            nodes_touched_overhead=0,
            nash_conv=2.0 * gaps[index],
            exploitability=gaps[index],
            lowest_exploitability=min(gaps[: index + 1]),
            regret_entries_live=round(1000 * shares[index]),
            regret_entries_total=1000,
            strategy_entries_live=round(1000 * shares[index]),
            strategy_entries_total=1000,
            entries_live=round(2000 * shares[index]),
            entries_total=2000,
            seconds=0.1 * index,
        )
        for index in range(count)
    ]


def ending_at(exploitability: float) -> Run:
    return run_of([1.0, exploitability])


def using(share: float) -> Run:
    return run_of(share=[share] * 20)


def noise_of(ratio: float) -> Run:
    return run_of([1.0, 0.5, 0.5 * ratio, 0.4])


def judge(claim: Claim, *runs: Run) -> Verdict:
    """Judge a claim about as many curves as there are runs, in the order of its measure."""
    return claim.judge(dict(zip(claim.measure.curves, runs, strict=True))).verdict


def test_all_figures_are_there_and_the_command_line_knows_them() -> None:
    assert set(FIGURES) == NAMES
    assert all(name == figure.name for name, figure in FIGURES.items())
    assert set(reproduce_options.FIGURES) == NAMES


@pytest.mark.parametrize("figure", FIGURES.values(), ids=lambda figure: figure.name)
def test_figures_are_complete(figure: Figure) -> None:
    assert len(set(figure.curves)) == len(figure.curves)
    assert len({claim.sentence for claim in figure.claims}) == len(figure.claims)
    assert set(figure.games) <= set(FULL)
    assert set(figure.games) <= set(QUICK)
    # each claim is about curves that the figure runs
    judgements = figure.judge(dict.fromkeys(figure.curves, run_of([1.0, 0.5, 0.25])))
    assert len(judgements) == len(figure.claims)


def test_curves_are_what_the_papers_run() -> None:
    for name in NAMES - OUR_OWN:
        for curve in FIGURES[name].curves:
            solver = curve.solver
            assert solver.count_nodes
            if curve.method == "EGT":
                assert (solver.weights, solver.adaptive) == ("kroer15", False)
                continue
            assert solver.updates == "simultaneous"
            power = curve.result_power or solver.averaging.power
            assert power == (1.0 if curve.method == "CFR+" else 0.0)
    pruning = brp("leduc5", "CFR with RM+", 0.1).solver.pruning
    assert isinstance(pruning, secateur.BestResponsePruning)
    assert (pruning.discard, pruning.discard_rule) == (0.1, "sqrt")
    assert isinstance(rbp("leduc", "CFR+").solver.pruning, secateur.RegretBasedPruning)
    assert isinstance(unpruned("leduc", "CFR").solver.pruning, secateur.NoPruning)


def test_cfr_plus_is_tested_plainly_as_in_the_paper_or_as_two_rules_say() -> None:
    plain = brp_with_plain_tests("leduc", 0.01)
    assert plain.solver == brp("leduc", "CFR with RM+", 0.01).solver
    assert (plain.solver.averaging.power, plain.result_power) == (0.0, 1.0)
    rules = brp_with_two_rules("leduc", "CFR+")
    assert (rules.solver.averaging.power, rules.result_power) == (1.0, None)
    assert not rules.solver.pruning.cut_played


@pytest.mark.parametrize("name", sorted(OUR_OWN))
def test_our_own_figures_have_alternating_updates_and_the_weights_of_recipes(name: str) -> None:
    (game,) = FIGURES[name].games
    powers = {"CFR": 0.0, "CFR+": 1.0, "DCFR": 4.0}
    ways: dict[str, set[type]] = {method: set() for method in powers}
    for curve in FIGURES[name].curves:
        assert (curve.game, curve.solver.updates) == (game, "alternating")
        assert curve.solver.averaging.power == powers[curve.method]
        ways[curve.method].add(type(curve.solver.pruning))
    assert ways["DCFR"] == {secateur.PartialPruning, secateur.BestResponsePruning}
    assert ways["CFR"] == ways["CFR+"] == {*ways["DCFR"], secateur.RegretBasedPruning}


def test_weights_of_an_average_can_be_changed_outside() -> None:
    game = secateur.compile(secateur.load("leduc"))
    plain, linear = (
        secateur.recipes.cfr_plus(averaging=secateur.Averaging(power)).start(game)
        for power in (0.0, 1.0)
    )
    average = WeightedAverage(1.0, 0.0, np.zeros(game.cells))
    for iteration in range(1, 41):
        plain.step()
        average.add(iteration, plain.average_strategy().plan * iteration)
    linear.step(40)
    strategy = secateur.Strategy.from_plan(game, average.sums)
    assert secateur.nash_conv(game, strategy) == pytest.approx(linear.nash_conv(), rel=1e-9)


def test_what_a_run_discards_its_other_average_discards() -> None:
    average = WeightedAverage(1.0, 0.0, np.zeros(3))
    average.add(1, np.array([0.5, 0.5, 0.0]))
    average.add(2, np.array([0.0, 1.5, 0.0]))
    average.add(3, np.array([0.25, 1.5, 0.75]))
    np.testing.assert_allclose(average.sums, [0.75, 2.5, 2.25])


def test_a_run_with_plain_tests_is_another_run_with_another_result() -> None:
    game = secateur.compile(secateur.load("leduc"), pruning=True)
    curve = brp_with_plain_tests("leduc", 0.0)  # so that nothing is discarded
    run, same = curve.start(game), curve.solver.start(game)
    sums = np.zeros(game.cells)
    for iteration in range(1, 301):
        sums += iteration * same.current_strategy().plan  # updates are simultaneous
        same.step()
    run.step(300)
    assert same.regret_entries_live < game.cells
    for entry in ("nodes_touched", "regret_entries_live", "strategy_entries_live"):
        assert getattr(run, entry) == getattr(same, entry)
    linear = secateur.nash_conv(game, secateur.Strategy.from_plan(game, sums))
    assert run.nash_conv() == pytest.approx(linear, rel=1e-9)
    assert run.nash_conv() != pytest.approx(same.nash_conv(), rel=0.01)


def test_the_games_have_the_bet_sizes_of_the_papers() -> None:
    sizes = {name: secateur.load(name).parameters["bet_sizes"] for name in ("leduc", "leduc5")}
    assert sizes["leduc"] == ((2.0,), (4.0,))
    assert sizes["leduc5"] == ((0.5, 1.0, 2.0, 4.0, 8.0), (1.0, 2.0, 4.0, 8.0, 16.0))
    small, large = (secateur.load(name).parameters["bet_sizes"] for name in gap_technique.GAMES)
    assert small == ((1.0,), (2.0,))
    assert large == ((1.0, 2.0, 4.0, 8.0, 16.0), (2.0, 4.0, 8.0, 16.0, 32.0))


def test_the_large_game_has_twelve_bet_sizes() -> None:
    first, second = load_game("leduc12").parameters["bet_sizes"]
    assert (len(first), first[0], first[-1]) == (12, 0.5, 8.0)
    assert second == tuple(2.0 * bet for bet in first)
    assert load_game("leduc5") == secateur.load("leduc5")


def test_snapshots_grow_by_a_quarter_and_are_then_equally_spaced() -> None:
    milestones = list(Budget(5000, 1000).milestones(300))
    assert milestones[:3] == [300, 375, 468]
    assert milestones[-5:] == [1000, 2000, 3000, 4000, 5000]
    assert all(before < after for before, after in pairwise(milestones))
    assert list(Budget(250, 100).milestones(300)) == [100, 200, 250]
    assert FULL["leduc5"].every == 10_000_000


def test_a_figure_may_end_before_others() -> None:
    assert FIGURES["brp-fig4"].budgets(FULL) == FULL
    ours = FIGURES["beyond"].budgets(FULL)
    assert ours["leduc5"].nodes < FULL["leduc5"].nodes
    assert ours["leduc12"] == FULL["leduc12"]


@pytest.mark.parametrize(
    "curve",
    [
        unpruned("leduc", "CFR"),
        partial("leduc", "CFR+"),
        brp("leduc", "CFR with RM+", 0.01),
        brp_with_plain_tests("leduc", 0.01),
        egt("leduc", 0.0),
        egt("leduc", 0.01),
    ],
    ids=str,
)
def test_a_run_is_looked_at_where_nodes_say(curve: Curve) -> None:
    game = secateur.compile(secateur.load("leduc"), pruning=True, thresholds=True)
    budget = Budget(200_000, 50_000)
    run = run_curve(curve, game, budget, ignore)
    iteration = 2 * game.size.histories
    touched = [now.nodes_touched for now in run]
    begun = curve.solver.start(game).nodes_touched
    for milestone in (each for each in (50_000, 100_000, 150_000, 200_000) if each > begun):
        assert any(milestone <= nodes < milestone + 2 * iteration for nodes in touched)
    assert touched[-1] < 200_000 + 2 * iteration
    assert touched == sorted(set(touched))
    lowest = [now.lowest_exploitability for now in run]
    assert lowest == sorted(lowest, reverse=True)
    for now in run:
        assert now.exploitability == 0.5 * now.nash_conv
        assert now.entries_live == now.regret_entries_live + now.strategy_entries_live
        assert now.entries_total == 2 * game.cells
    state = curve.start(game)
    state.step(run[-1].iteration)
    assert state.nash_conv() == run[-1].nash_conv
    assert state.nodes_touched == run[-1].nodes_touched
    assert state.nodes_touched_overhead == run[-1].nodes_touched_overhead


SIMILAR, BENEFICIAL, AGGRESSIVE = gap_technique.good_thresholds("leduc-dt")
WELL, FASTER, SMALLER, SAME = statements.thresholds("leduc", "CFR")
FIRST, SECOND = brp("leduc5", "CFR with RM+", 0.01), rbp("leduc5", "CFR+")


@pytest.mark.parametrize(
    ("claim", "holding", "partial", "failing"),
    [
        (statements.space_falls("CFR", 7.0), [using(0.14)], [using(0.25)], [using(0.5)]),
        (
            statements.space_keeps_falling("CFR"),
            [run_of(share=[0.9, 0.5, 0.4, 0.3])],
            [run_of(share=[0.9, 0.306, 0.3, 0.3])],
            [run_of(share=[0.9, 0.3, 0.3, 0.3])],
        ),
        (
            statements.larger_games_gain_more("CFR"),
            [using(0.1), using(0.5)],
            [using(0.46), using(0.5)],
            [using(0.5), using(0.5)],
        ),
        (
            statements.drops_to_half(),
            [using(0.5)] * 6,
            [using(0.5)] * 5 + [using(0.65)],
            [using(0.5)] * 5 + [using(0.8)],
        ),
        (
            WELL,
            [ending_at(0.1)] * 3 + [ending_at(0.15)],
            [ending_at(0.1)] * 3 + [ending_at(0.3)],
            [ending_at(0.1)] * 3 + [ending_at(0.5)],
        ),
        (
            FASTER,
            [ending_at(0.2), ending_at(0.1)],
            [ending_at(0.5), ending_at(0.1)],
            [ending_at(0.1), ending_at(0.1)],
        ),
        (
            SMALLER,
            [using(0.6), using(0.5)],
            [using(0.51), using(0.5)],
            [using(0.5), using(0.5)],
        ),
        (
            SAME,
            [ending_at(0.11), ending_at(0.1)],
            [ending_at(0.14), ending_at(0.1)],
            [ending_at(0.2), ending_at(0.1)],
        ),
        (
            statements.comparable(FIRST, SECOND),
            [ending_at(0.1), ending_at(0.09)],
            [ending_at(0.1), ending_at(0.18)],
            [ending_at(0.1), ending_at(0.3)],
        ),
        (
            statements.clearly_better(SECOND, FIRST),
            [ending_at(0.3), ending_at(0.1)],
            [ending_at(0.15), ending_at(0.1)],
            [ending_at(0.1), ending_at(0.1)],
        ),
        (
            statements.regret_matching_plus_gains_nothing("leduc"),
            [ending_at(0.1), ending_at(0.1)],
            [ending_at(0.13), ending_at(0.1)],
            [ending_at(0.2), ending_at(0.1)],
        ),
        (
            statements.twice_as_fast("leduc5"),
            [run_of([1.0, 0.9, 0.8, 0.5]), run_of([1.0, 0.5, 0.3, 0.2])],
            [run_of([1.0, 0.9, 0.8, 0.5]), run_of([1.0, 0.9, 0.5, 0.2])],
            [run_of([1.0, 0.8, 0.7, 0.5]), run_of([1.0, 0.8, 0.7, 0.5])],
        ),
        (statements.smooth(FIRST), [noise_of(1.05)], [noise_of(1.3)], [noise_of(1.9)]),
        (statements.noisy(SECOND), [noise_of(1.3)], [noise_of(1.05)], [noise_of(1.0)]),
        (
            statements.leads_early(FIRST, SECOND),
            [run_of([0.3] * 10), run_of([1.0] * 10)],
            [run_of([0.8] * 10), run_of([1.0] * 10)],
            [run_of([1.0] * 10), run_of([1.0, *[9.0] * 9])],
        ),
        (
            statements.overtaken(FIRST, SECOND),
            [ending_at(0.2), ending_at(0.1)],
            [ending_at(0.102), ending_at(0.1)],
            [ending_at(0.1), ending_at(0.2)],
        ),
        (
            statements.linear_averaging_does_worse("leduc5"),
            [ending_at(0.2), ending_at(0.1)],
            [ending_at(0.11), ending_at(0.1)],
            [ending_at(0.1), ending_at(0.1)],
        ),
        (
            statements.stalls("leduc5"),
            [run_of([1.0, *[0.6] * 9])],
            [run_of([1.0, *[0.3] * 9])],
            [run_of([1.0, *[0.1] * 9])],
        ),
        (
            statements.two_rules_suffice("leduc5"),
            [ending_at(0.1), ending_at(0.1)],
            [ending_at(0.15), ending_at(0.1)],
            [ending_at(0.3), ending_at(0.1)],
        ),
        (
            beyond.fewer_nodes("leduc5", "DCFR", 1.0, 1.4),
            [run_of([1.0, 0.9, 0.8, 0.5]), run_of([1.0, 0.5, 0.3, 0.2])],
            [run_of([1.0, 0.9, 0.8, 0.5]), run_of([1.0, 0.9, 0.5, 0.2])],
            [run_of([1.0, 0.8, 0.7, 0.5]), run_of([1.0, 0.8, 0.7, 0.5])],
        ),
        (
            beyond.as_good("leduc5", "DCFR"),
            [run_of([1.0, 0.6, 0.1]), run_of([1.0, 0.5])],
            [run_of([1.0, 0.9, 0.1]), run_of([1.0, 0.5])],
            [run_of([1.5, 1.2, 0.1]), run_of([1.0, 0.5])],
        ),
        (
            beyond.less_space("leduc5", "DCFR", 2.7),
            [using(0.4)],
            [using(0.6)],
            [using(0.8)],
        ),
        (
            beyond.ahead_of_regret_matching("leduc5", 3.0),
            [run_of([1.0, 0.9, 0.8, 0.5]), run_of([0.5])],
            [run_of([1.0, 0.9, 0.8, 0.5]), run_of([1.0, 0.5])],
            [run_of([1.0, 0.5]), run_of([1.0, 0.5])],
        ),
        (
            beyond.takes_the_place_of_rbp("leduc5"),
            [run_of([1.0, 0.9, 0.5]), run_of([1.0, 0.5])],
            [run_of([1.0, 0.9, 0.8, 0.5]), run_of([1.0, 0.9, 0.8, 0.7, 0.5])],
            [run_of([1.0, 0.5]), run_of([1.0, 0.9, 0.8, 0.5])],
        ),
        (
            gap_technique.benefits("leduc5-dt", factor=2.0),
            [run_of([1.0, 0.9, 0.8, 0.5]), run_of([1.0, 0.5, 0.3, 0.2])],
            [run_of([1.0, 0.9, 0.8, 0.5]), run_of([1.0, 0.9, 0.5, 0.2])],
            [run_of([1.0, 0.8, 0.7, 0.5]), run_of([1.0, 0.8, 0.7, 0.5])],
        ),
        (
            gap_technique.larger_games_benefit_more(),
            [
                *(run_of([1.0, 0.9, 0.8, 0.5]), run_of([1.0, 0.5, 0.3, 0.2])),
                *(run_of([1.0, 0.9, 0.8, 0.5]), run_of([1.0, 0.9, 0.5, 0.2])),
            ],
            [run_of([1.0, 0.9, 0.8, 0.5]), run_of([1.0, 0.9, 0.5, 0.2])] * 2,
            [
                *(run_of([1.0, 0.9, 0.8, 0.5]), run_of([1.0, 0.9, 0.5, 0.2])),
                *(run_of([1.0, 0.9, 0.8, 0.5]), run_of([1.0, 0.5, 0.3, 0.2])),
            ],
        ),
        (
            SIMILAR,
            [ending_at(0.1), ending_at(0.1), ending_at(0.12)],
            [ending_at(0.1), ending_at(0.1), ending_at(0.14)],
            [ending_at(0.1), ending_at(0.1), ending_at(0.2)],
        ),
        (
            BENEFICIAL,
            [ending_at(0.1), ending_at(0.09), ending_at(0.08), ending_at(0.2)],
            [ending_at(0.1), ending_at(0.09), ending_at(0.08), ending_at(0.102)],
            [ending_at(0.1), ending_at(0.09), ending_at(0.08), ending_at(0.095)],
        ),
        (
            AGGRESSIVE,
            [ending_at(0.12), ending_at(0.1)],
            [ending_at(0.5), ending_at(0.1)],
            [ending_at(0.1), ending_at(0.1)],
        ),
        (
            gap_technique.best_of_all("leduc5-dt", FIRST, SECOND),
            [ending_at(0.1), *[ending_at(0.2)] * 4],
            [ending_at(0.1), ending_at(0.095), *[ending_at(0.2)] * 3],
            [ending_at(0.1), ending_at(0.05), *[ending_at(0.2)] * 3],
        ),
        (
            gap_technique.wins_in_the_long_run("leduc-dt"),
            [ending_at(0.2), ending_at(0.1)],
            [ending_at(0.1), ending_at(0.1)],
            [ending_at(0.1), ending_at(0.2)],
        ),
    ],
    ids=lambda value: value.sentence if isinstance(value, Claim) else "",
)
def test_claims_hold_partly_or_not(
    claim: Claim, holding: list[Run], partial: list[Run], failing: list[Run]
) -> None:
    assert judge(claim, *holding) is Verdict.HOLDS
    assert judge(claim, *partial) is Verdict.PARTLY
    assert judge(claim, *failing) is Verdict.DOES_NOT_HOLD


def test_criteria_say_the_bands() -> None:
    assert str(Band(low=6.0)) == "at least 6"
    assert str(Band(high=1.1)) == "at most 1.1"
    assert str(Band(0.8, 1.25)) == "0.8 to 1.25"
    claim = statements.space_falls("CFR", 7.0)
    assert claim.criterion == "at least 5.95; partly: at least 3.5"


def test_nodes_to_an_exploitability_are_found_between_snapshots() -> None:
    # the slower one falls as 1/nodes, the faster one is always as good at half the nodes
    slower = run_of([1.0 / nodes for nodes in (1, 2, 3, 4)])
    faster = run_of([0.5 / nodes for nodes in (1, 2, 3, 4)])
    measure = nodes_ratio(slower=SECOND, faster=FIRST)
    assert measure.of({SECOND: slower, FIRST: faster}) == pytest.approx(2.0)


def test_nodes_to_a_nash_conv_are_those_to_half_its_exploitability() -> None:
    slower = run_of([1.0 / nodes for nodes in (1, 2, 3, 4)])
    faster = run_of([1.0 / nodes**2 for nodes in (1, 2, 3, 4)])
    runs = {SECOND: slower, FIRST: faster}
    assert nodes_to_nash_conv(0.5, SECOND, FIRST).of(runs) == pytest.approx(2.0)
    # only one of them comes below a quarter, so both are asked for that
    assert nodes_to_nash_conv(0.1, SECOND, FIRST).of(runs) == pytest.approx(2.0)


def test_runs_are_compared_after_as_many_iterations() -> None:
    # a snapshot after iterations 1, 2, 3; the other has them after 2, 4, 6, and falls as 1/t
    often = run_of([1.0, 0.5, 0.25])
    rarely = [now._replace(iteration=2 * now.iteration) for now in run_of([0.5, 0.25, 0.1])]
    measure = equal_iterations_ratio(worse=SECOND, better=FIRST)
    assert measure.of({SECOND: often, FIRST: rarely}) == pytest.approx(0.25 * 3)


def test_short_runs_can_be_measured() -> None:
    once = run_of([1.0])
    assert early_lead(FIRST, SECOND).of({FIRST: once, SECOND: once}) == 1.0
    assert space_factor(FIRST).of({FIRST: once}) == 1.0


@pytest.fixture(scope="module")
def small() -> tuple[Figure, dict]:
    figure = replace(FIGURES["brp-fig1"], curves=FIGURES["brp-fig1"].curves[:2], claims=(SAME,))
    return figure, dict(run_curves(figure.curves, TINY, ignore))


def test_the_table_has_a_row_for_each_curve_and_snapshot(small: tuple[Figure, dict]) -> None:
    figure, runs = small
    rows = list(csv.DictReader(io.StringIO(as_csv(figure, runs))))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == sum(map(len, runs.values()))
    assert {row["curve"] for row in rows} == {"CFR - BRP (C = 0.001)", "CFR - BRP (C = 0.01)"}
    last = rows[-1]
    assert int(last["nodes_touched"]) >= TINY["leduc"].nodes
    assert float(last["exploitability"]) == runs[figure.curves[-1]][-1].exploitability


def test_claims_in_markdown_say_what_was_measured(small: tuple[Figure, dict]) -> None:
    figure, runs = small
    text = as_markdown(figure, TINY, figure.judge(runs), short=True)
    (row,) = [line for line in text.splitlines() if line.startswith("| leduc")]
    assert SAME.criterion in row
    assert SAME.measure.words in row
    assert row.endswith("(short run) |")
    assert "60,000 nodes" in text
    whole = as_markdown(figure, TINY, figure.judge(runs), short=False)
    assert "short run" not in whole


@pytest.mark.parametrize(("kind", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_plots_are_the_same_bytes_again(
    small: tuple[Figure, dict], kind: str, start: bytes
) -> None:
    figure, runs = small
    written = []
    for _ in range(2):
        file = io.BytesIO()
        save(draw(figure, runs, short=True), file, kind)
        written.append(file.getvalue())
    assert written[0].startswith(start)
    assert written[0] == written[1]
