"""Hold'em from a flop, turn or river on."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import secateur
from secateur.compiled import too_large
from secateur.compiled.from_histories import compile_histories
from secateur.errors import GameError, ParameterError
from secateur.games.holdem.betting import sizes_of
from secateur.games.holdem.cards import CARDS, COMBINATIONS, combination_label
from secateur.games.holdem.game import Holdem
from secateur.games.holdem.ranges import range_of

TURN = {
    "board": "Qs8h5s2s",
    "range_0": "98s,AsAh:0.5",
    "range_1": "KQs,55:0.3",
    "bets": "75%",
    "raises": "all-in",
    "max_raises": 1,
    "stack": 120,
}
"""Nobody can tell diamonds from clubs."""


def hands_in(text: str) -> set[str]:
    weights = range_of("range_0", text)
    return {combination_label(number) for number in np.flatnonzero(weights).tolist()}


@pytest.mark.parametrize(
    ("text", "count", "some"),
    [
        ("AA", 6, {"AsAh", "AdAc"}),
        ("AKs", 4, {"AsKs", "AcKc"}),
        ("AKo", 12, {"AsKh", "AcKd"}),
        ("KA", 16, {"AsKs", "AsKh"}),
        ("22+", 78, {"2d2c", "AsAh"}),
        ("T9s+", 4, {"Ts9s"}),
        ("A9s+", 20, {"As9s", "AcKc"}),
        ("A5s-A2s", 16, {"As5s", "Ac2c"}),
        ("A2s-A5s", 16, {"As5s", "Ac2c"}),
        ("88-55", 24, {"8s8h", "5d5c"}),
        ("JTs-54s", 28, {"JsTs", "5c4c", "8h7h"}),
        ("AsKd", 1, {"AsKd"}),
        ("kdas", 1, {"AsKd"}),
        ("any", 1326, {"AsKd", "3c2c"}),
        ("any, AA:0", 1320, {"AsKd"}),
        (" AA  KK;QQ,", 18, {"QsQh"}),
    ],
)
def test_ranges(text: str, count: int, some: set[str]):
    assert len(hands_in(text)) == count
    assert some <= hands_in(text)


def test_weights_of_ranges():
    weights = range_of("range_0", "AA:0.25,AsAh:.5,KK")
    assert sorted({*weights.tolist()}) == [0.0, 0.25, 0.5, 1.0]
    assert weights.sum() == 6 + 0.5 + 5 * 0.25
    assert np.array_equal(range_of("range_0", weights.tolist()), weights)


def test_sizes_by_street_and_player():
    found = sizes_of("bets", "50%; river: 75%, all in; turn 1: 40, 1.5%")
    assert [size.chips(100) for size in found[0][0]] == [50]
    assert [size.chips(100) for size in found[1][1]] == [40, 1.5]
    assert [size.chips(100) for size in found[1][0]] == [50]
    assert [size.chips(100) for size in found[2][0]] == [75, np.inf]


def follow(game: Holdem, history: str) -> object:
    public = game.public_start()
    public = game.deals(public)[0].state
    for word in history.split():
        if word in CARDS:
            public = {deal.label: deal.state for deal in game.deals(public)}[word]
        else:
            public = game.public_after(public, word)
    return public


@pytest.mark.parametrize(
    ("parameters", "history", "actions"),
    [
        ({}, "", ("check", "bet50", "all-in")),
        ({}, "check", ("check", "bet50", "all-in")),
        ({}, "bet50", ("fold", "call", "all-in")),
        ({}, "all-in", ("fold", "call")),
        ({"raises": "50%,10"}, "bet50", ("fold", "call", "raise100", "raise150")),
        # a raise must be as high as the last one: 10 more than 150 becomes 100 more
        (
            {"raises": "50%,10", "stack": 900},
            "bet50 raise150",
            ("fold", "call", "raise250", "raise350"),
        ),
        ({"raises": "50%,10", "max_raises": 1}, "bet50 raise150", ("fold", "call")),
        ({"all_in_threshold": 0.25}, "", ("check", "all-in")),
        ({"minimum_bet": 60}, "", ("check", "bet60", "all-in")),
        ({"bets": "1: 50%; 0: all-in"}, "", ("check", "all-in")),
        ({"bets": "1: 50%; 0: all-in"}, "check", ("check", "bet50")),
        ({"board": "Qs8h5d", "bets": "50%"}, "bet50 call 2c", ("check", "bet100")),
        ({"board": "Qs8h5d", "bets": "50%"}, "bet50 call 2c bet100", ("fold", "call", "all-in")),
    ],
)
def test_betting(parameters, history, actions):
    game = Holdem(**parameters)
    assert game.public_actions(follow(game, history)) == actions


def test_who_acts_first():
    game = Holdem(board="Qs8h5d2c", first=1)
    assert game.public_turn(follow(game, "")) == 1
    assert game.public_turn(follow(game, "check")) == 0
    assert game.public_turn(follow(game, "check check Ah")) == 1


def test_payoffs_are_the_pot_and_stakes():
    game = Holdem(range_0="KK", range_1="AK")
    payoff = game.payoff(follow(game, "bet50 all-in call"))
    assert payoff.factor == 250
    assert (payoff.written_out().matrix > 0).all()
    assert game.payoff(follow(game, "bet50 all-in fold")).factor == -100
    assert game.payoff(follow(game, "bet50 fold")).factor == 50


def test_cards_are_removed():
    """By brute force over all pairs of hands."""
    game = Holdem(board="Qs8h5s2d", range_0="any", range_1="A2s+,22+,KTo+:0.4", merge_suits=False)
    board = {*map(CARDS.index, ("Qs", "8h", "5s", "2d"))}
    first, second = (range_of(name, getattr(game, name)) for name in ("range_0", "range_1"))
    card = CARDS.index("As")
    table = game.table((card,))
    total = expected = 0.0
    rows = np.zeros(len(COMBINATIONS))
    for mine in range(len(COMBINATIONS)):
        for theirs in np.flatnonzero(second).tolist():
            cards = [*COMBINATIONS[mine].tolist(), *COMBINATIONS[theirs].tolist()]
            if len({*cards}) == 4 and not board & {*cards}:
                weight = first[mine] * second[theirs]
                total += weight
                if card not in cards:
                    expected += weight / 44
                    rows[mine] += weight / 44
    marginals = table.hands.weights.marginals
    assert marginals[0].sum() == pytest.approx(expected / total, rel=1e-12)
    np.testing.assert_allclose(marginals[0], rows[table.numbers[0]] / total, rtol=1e-11)


@pytest.mark.parametrize(
    "parameters",
    [{}, {"first": 1, "range_0": "AA:0.5,AKs,QJs:0.25"}, TURN, TURN | {"merge_suits": False}],
    ids=["river", "second player first", "turn, merged", "turn"],
)
def test_it_is_the_game_that_histories_tell(parameters):
    game = Holdem(**parameters)
    listed, enumerated = secateur.compile(game), compile_histories(game)
    assert listed.size.sequences == enumerated.size.sequences
    if not game.merge_suits:
        assert listed.size.histories == enumerated.size.histories
    states = [secateur.recipes.cfr().start(each) for each in (listed, enumerated)]
    for iteration in range(3):
        values = []
        for state in states:
            state.step(1)
            values.append(state.nash_conv())
        assert values[0] == pytest.approx(values[1], rel=1e-9), iteration


def test_rivers_equal_the_linear_program():
    # 20 hands against 20
    game = secateur.compile(
        Holdem(
            board="KsTh7s4d2c",
            range_0="AA,QJs,98s:0.5,KK,AKs",
            range_1="TT,KQs,AcJc,JhJd,6c5c,A5s,65s,J9s",
            pot=80,
        )
    )
    assert {*game.arrays.lanes[1:].tolist()} == {20}
    exact = secateur.solve(game, "exact")
    assert exact.exploitability < 1e-7
    result = secateur.solve(game, "dcfr", until=1e-3)
    assert result.value == pytest.approx(exact.value, abs=2e-3)


class ShortHoldem(Holdem):
    """Only cards from the tens on: flops have 272 boards, not 2,352."""

    deck = tuple(range(CARDS.index("Tc"), len(CARDS)))


@pytest.mark.parametrize(
    ("rules", "parameters", "iterations"),
    [
        (
            ShortHoldem,
            {
                "board": "QsJsTs",
                "range_0": "AA,KTs:0.4",
                "range_1": "KK,QQ:0.5",
                "bets": "all-in",
                "max_raises": 0,
            },
            1,  # straights are split, and where actions are worth the same rounding decides
        ),
        (Holdem, TURN, 4),
        (Holdem, {"board": "KsTs7s4s2s", "range_0": "22+,AKo", "range_1": "A2s+"}, 4),
    ],
    ids=["flop", "turn", "river"],
)
def test_merged_suits_change_nothing(rules, parameters, iterations):
    merged, apart = (
        secateur.compile(rules(**parameters, merge_suits=merge)) for merge in (True, False)
    )
    assert merged.size.information_sets < 0.7 * apart.size.information_sets
    assert merged.size.histories == apart.size.histories
    solver = secateur.recipes.dcfr(pruning=secateur.NoPruning(), count_nodes=True)
    states = [solver.start(each) for each in (merged, apart)]
    for state in states:
        state.step(iterations)
    assert states[0].nash_conv() == pytest.approx(states[1].nash_conv(), rel=1e-9)
    assert states[0].nodes_touched == states[1].nodes_touched
    values = [secateur.expected_value(each.game, each.average_strategy()) for each in states]
    assert values[0] == pytest.approx(values[1], rel=1e-9)
    for state in states:
        state.step(100)
    values = [secateur.expected_value(each.game, each.average_strategy()) for each in states]
    gaps = [each.nash_conv() for each in states]
    assert max(gaps) < 0.01 * states[0].game.pot
    assert abs(values[0] - values[1]) <= sum(gaps)


def test_lanes_prune_differently():
    game = secateur.compile(Holdem(), pruning=True)
    pruned = secateur.recipes.cfr(
        pruning=secateur.BestResponsePruning(check_every=20, minimum_skip=2.0)
    ).start(game)
    pruned.step(400)
    assert 0 < pruned.regret_entries_live < game.cells
    plain = secateur.recipes.cfr().start(game)
    plain.step(400)
    value = secateur.solve(game, "exact").value
    for state in (pruned, plain):
        assert secateur.expected_value(game, state.average_strategy()) == pytest.approx(
            value, abs=state.nash_conv()
        )
    assert pruned.nash_conv() < 1.5 * plain.nash_conv()


@pytest.mark.parametrize(
    ("parameters", "messages"),
    [
        ({"board": "KsTh7s4dKs"}, ["Ks twice"]),
        ({"board": "KsTh7x"}, ["'7x'", "no card"]),
        ({"board": "KsTh"}, ["has 2 cards"]),
        ({"range_0": "KsKs"}, ["range_0", "'KsKs' at character 1"]),
        ({"range_0": "AA,KKs"}, ["'KKs' at character 4"]),
        ({"range_1": "AA, XX"}, ["range_1", "'XX' at character 5", "write hands such as"]),
        ({"range_1": "A5s-K2s"}, ["'A5s-K2s'"]),
        ({"range_1": "AA:1.5"}, ["'1.5'", "from 0 to 1"]),
        ({"range_1": "AA:x"}, ["'x'", "from 0 to 1"]),
        ({"range_1": (0.5,) * 3}, ["3 weights", "1,326"]),
        ({"range_1": (0.5,) * 1325 + (2.0,)}, ["range_1[1325] is 2"]),
        ({"range_0": "KsQs,Td7s"}, ["range_0", "the board KsTh7s4d2c"]),
        ({"range_0": ""}, ["range_0 is empty"]),
        ({"range_0": "AA:" + 5000 * "x"}, ["range_0: 'AA:xxx", "at character 1"]),
        ({"board": 5000 * "Ks"}, ["board='KsKs", "Ks twice"]),
        ({"bets": 5000 * "x"}, ["bets: 'xxx", "is no size"]),
        ({"bets": 5000 * "x" + ": 50%"}, ["bets: 'xxx", "for no street"]),
        ({"bets": "٣%"}, ["bets: '٣%'", "is no size"]),
        ({"range_0": "AsAh", "range_1": "AhQh"}, ["hold the same cards"]),
        ({"pot": 0}, ["pot=0"]),
        ({"pot": "60"}, ["pot='60'"]),
        ({"board": 5}, ["board=5", "give text"]),
        ({"range_0": ("AA", "KK")}, ["range_0=('AA', 'KK')", "give text"]),
        ({"stack": 0.5}, ["stack=0.5", "smallest bet"]),
        ({"stack": -1}, ["stack=-1"]),
        ({"bets": "50", "raises": "50", "stack": 9999}, ["nobody can stake", "add all-in"]),
        ({"bets": "50%%"}, ["bets: '50%%'", "no size"]),
        ({"raises": "50%; riverr: 20%"}, ["raises: 'riverr: 20%'"]),
        ({"max_raises": -1}, ["max_raises=-1"]),
        ({"all_in_threshold": 0}, ["all_in_threshold=0"]),
        ({"first": 2}, ["first=2"]),
    ],
)
def test_messages(parameters, messages):
    with pytest.raises(ParameterError) as error:
        Holdem(**parameters)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300
    for message in messages:
        assert message in str(error.value)


def test_only_the_proportions_of_weights_matter():
    weights = range_of("range_0", "AA,KQs,QJs:0.5")
    small = Holdem(range_0=tuple((1e-200 * weights).tolist()), range_1=(1e-200,) * len(weights))
    large = Holdem(range_0="AA,KQs,QJs:0.5", range_1="any")
    values = [secateur.solve(game, "dcfr", until=2.0).value for game in (small, large)]
    assert values[0] == pytest.approx(values[1], rel=1e-9)
    assert len(str(small)) < 600


def test_strengths_follow_the_rules_of_poker():
    game = Holdem(board="KsTh7s4d2c", range_0="AA,QJs,KTs,77,AKo,65s,32s", range_1="any")
    table = game.table(())
    strength = dict(zip(table.hands.labels[0], table.showdown.strength[0].tolist(), strict=True))
    order = ["7h7d", "KhTs", "AsAh", "AcKd", "3d2d", "6d5d"]
    found = [strength[hand] for hand in order if hand in strength]
    assert found == sorted(found, reverse=True)
    assert len(found) >= 5
    for one, two in combinations(("AsAh", "AdAc"), 2):
        assert strength[one] == strength[two]


@pytest.mark.parametrize(
    ("parameters", "tolerance"),
    [({}, 1e-9), (TURN | {"merge_suits": False}, 1e-9), (TURN | {"first": 1}, 0.25)],
)
def test_sequences_are_known_before(parameters, tolerance):
    game = Holdem(**parameters)
    sequences = secateur.compile(game).size.sequences
    assert game.estimated_sequences() == pytest.approx(sequences, rel=tolerance)


def test_what_cannot_fit_is_refused_at_once(monkeypatch):
    game = Holdem(board="Qs8s5d", range_0="any", range_1="any", stack=2000)
    monkeypatch.setattr(too_large, "free_memory", lambda: 1 << 30)
    monkeypatch.setattr(Holdem, "deals", None)
    with pytest.raises(GameError, match=r"too large: it has about \de\+\d\d sequences|GB"):
        secateur.compile(game)
    with pytest.raises(ParameterError, match=r"memory_limit of .*: to compile holdem"):
        secateur.compile(game, memory_limit=1 << 29)


def test_rake_is_refused():
    with pytest.raises(ParameterError, match="no zero-sum game"):
        Holdem(rake=0.05)


def test_runs_keep_lists_of_weights(tmp_path):
    weights = tuple(range_of("range_0", "AA:0.5,KK").tolist())
    game = Holdem(range_0=weights)
    result = secateur.solve(game, "cfr", until=5.0, run=tmp_path / "run")
    assert secateur.open_run(tmp_path / "run").solver == result.solver
    result.strategy.save(tmp_path / "weights.json")
    typed = secateur.compile(Holdem(range_0="AA:0.5,KK"))
    assert typed.size == result.game.size
