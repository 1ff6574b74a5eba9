"""Best-response pruning: the oracle against definitions, and against not pruning."""

from __future__ import annotations

from math import inf, sqrt

import pytest

from reference import ReferenceCFR
from reference.brp import ReferenceBRP
from reference.metrics import counterfactual_best_response_values, nash_conv
from reference.pruning_ledger import Event
from reference.small_games import Matrix
from reference.tree import InfosetKey, Sequence
from secateur.games import Game
from secateur.games.leduc import Leduc
from secateur.games.random_game import RandomGame

UPDATES = ["alternating", "simultaneous"]
RULES = ["rm", "rm+", "linear"]
GAMES = [
    *(RandomGame(seed=seed, ties=0.0, skew=1.0) for seed in (4, 5)),
    *(RandomGame(seed=seed, ties=0.0, skew=1.0, structured=True, depth=8) for seed in (7, 10)),
    *(RandomGame(seed=seed, ties=0.0, skew=1.0, depth=8, chance_moves=0.1) for seed in (1, 8)),
]


def paired(games: list[Game], rules: list[str]) -> list[tuple[Game, str, str]]:
    """Return each rule on each game, and each of these with updates of both kinds."""
    return [
        (game, rule, UPDATES[(number + other) % 2])
        for number, game in enumerate(games)
        for other, rule in enumerate(rules)
    ]


def short(game) -> str:
    return f"{game.name}-{game.parameters.get('seed', '')}"


def rounding(solver: ReferenceBRP) -> float:
    """Return how far sums of all iterations may be off."""
    return 1e-11 * (1 + solver.total_weight * solver.branches.payoff_range)


def best_response_gaps(solver: ReferenceBRP, player: int) -> dict[Sequence, float]:
    """Return V(I, a) - sumv(I) at active information sets, V by a visit of the whole game."""
    values = counterfactual_best_response_values(solver.tree, player, solver.average_strategy())
    return {
        cell: solver.total_weight * value - solver.sumv[cell[0]]
        for cell, value in values.items()
        if cell[0] in solver.active
    }


def last_event(solver: ReferenceBRP, cell: Sequence) -> Event:
    return next(e for e in reversed(solver.events) if (e.infoset, e.action) == cell)


def test_by_hand():
    solver = ReferenceBRP(Matrix([[1, -1], [-3, -2]]), updates="simultaneous", min_skip=2)
    losing = ((0, "choose"), 1)
    solver.step()
    # rows win 0 and -2.5, value -1.25; the second row could gain U - L = -2 + 3 = 1 a time
    assert solver.gaps(0)[losing] == -1.25
    assert not solver.pruned
    solver.step()
    assert solver.pruned == {losing}
    event = solver.events[0]
    assert (event.iteration, event.player, event.action, event.kind) == (2, 0, 1, "start")
    assert (event.value, event.estimated_skip) == (-2.25, 2.25)
    nodes = solver.nodes_touched
    solver.step()
    assert solver.regret[losing] == -3.25
    assert solver.nodes_touched - nodes == 3 + 4
    assert solver.space().regret_cells == 3
    assert solver.space().fraction == 7 / 8


@pytest.mark.parametrize(("game", "rule", "updates"), paired(GAMES[:4], RULES))
def test_without_a_start_nothing_differs_from_partial_pruning(game, rule: str, updates: str):
    averaging = "linear" if rule == "linear" else "uniform"
    plain = ReferenceCFR(game, rule, averaging, updates, partial_pruning=True)
    solver = ReferenceBRP(game, rule, updates, min_skip=inf, discard=1.0)
    for _ in range(40):
        plain.step()
        solver.step()
        assert solver.current_strategy() == plain.current_strategy()
        assert solver.regret == plain.regret
    assert solver.strategy_sum == plain.strategy_sum
    assert solver.nodes_touched == plain.nodes_touched
    assert not solver.events


class Audited(ReferenceBRP):
    """Check each end of a pruning interval by a best response of its own to the whole average.

    Theorem. Let (I, a) be pruned after iteration t0 and reconsidered after t1, and let
    B_t = V_t0(I, a) - sumv_t0(I) + sum_{t0 < s <= t} w_s (pi_{-i}^s(I) U(I, a) - v^s(I)).
    One more iteration adds to V(I, a) at most what the best response to that iteration alone
    would win, and so at most w_t pi_{-i}^t(I) U(I, a). Hence V_t(I, a) - sumv_t(I) <= B_t, and
    since pruning went on after t1 - 1 only because B_{t1-1} <= 0,

        V_t1(I, a) <= sumv_t1(I) + [B_t1 - B_{t1-1}]                                       (*)

    where the bracket is the allowance of the last iteration,
    w_t1 (pi_{-i}^t1(I) U(I, a) - v^t1(I)) <= w_t1 (U(I, a) - L(I)). So the regret that comes back
    is no larger than that of one ordinary iteration. A fixed duration ends before B may become
    positive: then V_t1(I, a) <= sumv_t1(I).
    """

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.bound_before: dict[Sequence, float] = {}
        self.best_gaps: dict[int, dict[Sequence, float]] = {}
        self.reconsidered = self.returned = 0

    def best_response_gap(self, cell: Sequence) -> float:
        """Return V(I, a) - sumv(I); one visit of the game serves all ends of an iteration."""
        player = cell[0][0]
        if player not in self.best_gaps:
            self.best_gaps[player] = best_response_gaps(self, player)
        return self.best_gaps[player][cell]

    def step(self, n: int = 1) -> None:
        for _ in range(n):
            self.bound_before = {cell: self.regret[cell] for cell in self.pruned}
            self.best_gaps = {}
            super().step()

    def _reconsider(self, cell: Sequence) -> None:
        slack = rounding(self)
        key, _ = cell
        gap = self.best_response_gap(cell)
        bound = self.regret[cell]
        allowance = bound - self.bound_before[cell]
        spread = self.branches.best_payoff[cell] - self.branches.worst_payoff[key]
        assert self.bound_before[cell] <= slack
        assert gap <= bound + slack
        assert gap <= allowance + slack
        assert allowance <= self.regret_weight(self.iteration) * spread + slack
        if self.duration == "fixed":
            assert gap <= slack

        super()._reconsider(cell)
        self.reconsidered += 1
        event = last_event(self, cell)
        assert event.value == pytest.approx(gap, abs=slack)
        assert event.kind == ("continue" if cell in self.pruned else "end")
        if cell not in self.pruned:
            self.returned += 1
            self.assert_no_regret_behind(cell)
            self.assert_stored(cell, gap)

    def assert_no_regret_behind(self, cell: Sequence) -> None:
        """After a return Gap(I') = 0 for all I' behind: the response there was best."""
        gaps = self.gaps(cell[0][0])
        for infoset in self.branches.below(cell):
            if infoset.key in self.active:
                largest = max(gaps[infoset.key, action] for action in infoset.actions)
                assert abs(largest) <= rounding(self)
            else:
                assert infoset.key not in self.sumv

    def assert_stored(self, cell: Sequence, gap: float) -> None:
        slack = rounding(self)
        expected = gap if self.summed else max(0.0, gap) / self.regret_weight(self.iteration)
        assert self.regret[cell] == pytest.approx(expected, abs=slack)
        assert self.action_sumv[cell] - self.sumv[cell[0]] == pytest.approx(gap, abs=slack)
        for infoset in self.branches.below(cell):
            if infoset.key in self.active:
                for action in infoset.actions:
                    assert self.regret[infoset.key, action] <= slack

    def assert_gaps(self) -> None:
        """Gaps are exact where nothing is pruned at or behind an action, and else bounds."""
        slack = rounding(self)
        for player in (0, 1):
            gaps = self.gaps(player)
            for cell, gap in best_response_gaps(self, player).items():
                behind = {infoset.key for infoset in self.branches.below(cell)}
                assert gap <= gaps[cell] + slack
                if cell not in self.pruned and behind.isdisjoint(key for key, _ in self.pruned):
                    assert gaps[cell] == pytest.approx(gap, abs=slack)


@pytest.mark.parametrize(
    ("game", "rule", "updates"), paired(GAMES, [*RULES, "cfr+", "dcfr", "pcfr+"])
)
def test_gaps_bounds_and_returns(game, rule: str, updates: str):
    solver = Audited(game, rule, updates, min_skip=1, restart=1)
    for _ in range(8):
        solver.step(10)
        solver.assert_gaps()
    assert solver.reconsidered > 0


@pytest.mark.parametrize("duration", ["reach", "fixed"])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("check_every", [1, 7])
def test_gaps_bounds_and_returns_in_other_settings(rule: str, duration: str, check_every: int):
    solver = Audited(
        GAMES[3], rule, min_skip=2, restart=0.5, check_every=check_every, duration=duration
    )
    for _ in range(8):
        solver.step(20)
        solver.assert_gaps()
    assert solver.reconsidered > 0
    starts = [event for event in solver.events if event.kind == "start"]
    at_returns = {(event.iteration, event.player) for event in solver.events if event.kind == "end"}
    assert all(
        event.iteration % check_every == 0 or (event.iteration, event.player) in at_returns
        for event in starts
    )


@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize("rule", RULES)
def test_gaps_bounds_and_returns_on_leduc(rule: str, updates: str):
    solver = Audited(Leduc(), rule, updates, min_skip=1, restart=1)
    for _ in range(3):
        solver.step(15)
        solver.assert_gaps()
    assert solver.reconsidered > 300
    assert solver.returned > 20


def test_fixed_durations_are_as_long_as_promised():
    """T' = floor((sumv - V) / (U - L)) iterations, without any look at the reach."""
    solver = ReferenceBRP(GAMES[3], "rm", duration="fixed", min_skip=1)
    solver.step(150)
    began: dict[Sequence, tuple[int, float]] = {}
    finished = 0
    for event in solver.events:
        cell = (event.infoset, event.action)
        if event.kind in ("continue", "end"):
            start, estimate = began[cell]
            assert event.iteration - start == int(estimate + 1e-9)
            finished += 1
        began[cell] = event.iteration, event.estimated_skip
    assert finished > 5


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("game", GAMES[:4], ids=short)
def test_soft_responses_keep_to_their_allowance(game, rule: str):
    class Watched(ReferenceBRP):
        softer = 0

        def _reconsider(self, cell: Sequence) -> None:
            hard = best_response_gaps(self, cell[0][0])[cell]
            super()._reconsider(cell)
            soft = last_event(self, cell).value
            assert soft <= hard + rounding(self)
            self.softer += soft < hard - rounding(self)
            if cell in self.pruned:
                return
            for infoset in self.branches.below(cell):
                if infoset.key in self.active:
                    cells = [(infoset.key, action) for action in infoset.actions]
                    scale = self.reach_sum[infoset.key] * self.branches.range_below(infoset)
                    allowed = self.softness * scale**2 / self.iteration * len(cells)
                    positive = sum(max(0.0, self.regret[c]) ** 2 for c in cells)
                    assert positive <= allowed + rounding(self)

    solver = Watched(game, rule, min_skip=1, restart=1, softness=0.5)
    solver.step(120)
    assert solver.softer > 0
    assert nash_conv(solver.tree, solver.average_strategy()) < 0.2


@pytest.mark.parametrize(("game", "rule", "updates"), paired(GAMES, RULES))
def test_pruning_what_is_not_played_changes_no_play(game, rule: str, updates: str):
    """Until an action returns, or one is skipped that would be played, no sum differs."""
    averaging = "linear" if rule == "linear" else "uniform"
    plain = ReferenceCFR(game, rule, averaging, updates, partial_pruning=True)
    solver = ReferenceBRP(game, rule, updates, min_skip=8)
    for _ in range(40):
        plain.step()
        solver.step()
        now, expected = solver.current_strategy(), plain.current_strategy()
        index = {key: infoset.actions.index for key, infoset in solver.tree.infosets.items()}
        if any(event.kind == "end" for event in solver.events) or any(
            expected[key][index[key](action)] > 0 for key, action in solver.pruned
        ):
            break
        assert all(now[key] == expected[key] for key in solver.active)
        assert solver.strategy_sum == plain.strategy_sum
    assert solver.events


@pytest.mark.parametrize(("game", "rule", "updates"), paired(GAMES, RULES))
def test_sums_of_strategies_stand_still_behind_pruned_actions(game, rule: str, updates: str):
    solver = ReferenceBRP(game, rule, updates, min_skip=1)
    for _ in range(40):
        pruned, before = set(solver.pruned), dict(solver.strategy_sum)
        solver.step()
        ended = {(event.infoset, event.action) for event in solver.events}
        for cell in pruned & solver.pruned - ended:
            assert solver.strategy_sum[cell] == before[cell]
            for infoset in solver.branches.below(cell):
                for action in infoset.actions:
                    inside = (infoset.key, action)
                    assert solver.strategy_sum[inside] == before[inside]


@pytest.mark.parametrize(("game", "rule", "updates"), paired(GAMES, RULES))
def test_state_exists_exactly_where_it_is_needed(game, rule: str, updates: str):
    solver = ReferenceBRP(game, rule, updates, min_skip=1, restart=1)
    for _ in range(40):
        solver.step()
        hidden = {below.key for cell in solver.pruned for below in solver.branches.below(cell)}
        assert solver.active == set(solver.tree.infosets) - hidden
        assert {key for key, _ in solver.pruned} <= solver.active
        cells = {
            (key, action) for key in solver.active for action in solver.tree.infosets[key].actions
        }
        assert set(solver.regret) == cells
        assert set(solver.action_sumv) == cells - solver.pruned
        assert set(solver.sumv) == set(solver.reach_sum) == solver.active
        assert solver.space().regret_cells == len(cells - solver.pruned)
        for key, probabilities in solver.current_strategy().items():
            assert sum(probabilities) == pytest.approx(1)
            for action, p in zip(solver.tree.infosets[key].actions, probabilities, strict=True):
                assert p == 0.0 or (key, action) not in solver.pruned


class Remembering(ReferenceBRP):
    """Keep a second sum of strategies from which nothing is discarded."""

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.complete_sum = dict.fromkeys(self.strategy_sum, 0.0)

    def _accumulate(self, player: int) -> None:
        super()._accumulate(player)
        weight = self.averaging.weight(self.iteration)
        self._add_play(player, weight, self.complete_sum)


@pytest.mark.parametrize("discard_rule", ["sqrt", "linear"])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("game", GAMES[1:], ids=short)
def test_discards(game, rule: str, discard_rule: str):
    constant = 0.3
    solver = Remembering(game, rule, min_skip=1, discard=constant, discard_rule=discard_rule)
    solver.step(40)
    discards = [event for event in solver.events if event.kind == "discard"]
    assert discards
    for event in discards:
        t = event.iteration
        assert event.value <= constant / (sqrt(t) if discard_rule == "sqrt" else t)

    emptied = {
        below.key for e in discards for below in solver.branches.below((e.infoset, e.action))
    }
    for key, infoset in solver.tree.infosets.items():
        known = sum(solver.strategy_sum[key, action] for action in infoset.actions)
        true = sum(solver.complete_sum[key, action] for action in infoset.actions)
        if key in emptied:  # what was lost there is on the books further up
            assert known + solver.lost.get(key, 0.0) <= true + 1e-9
        else:
            assert known + solver.lost.get(key, 0.0) == pytest.approx(true)
    for player in (0, 1):
        for infoset in solver.tree.of_player(player):
            if infoset.parent is None:
                assert sum(solver.strategy_sum[infoset.key, a] for a in infoset.actions) > 0
    assert solver.space().strategy_cells < sum(true > 0 for true in solver.complete_sum.values())


@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize("game", GAMES, ids=short)
def test_the_last_positive_sum_survives(game, updates: str):
    """However much may be discarded, one who arrives somewhere still does something there."""
    solver = ReferenceBRP(game, "rm", updates, min_skip=1, discard=inf)
    for _ in range(40):
        solver.step()
        arrivals = dict(solver.strategy_sum) | {None: 1.0}
        for infoset in solver.tree.infosets.values():
            if arrivals[infoset.parent] > 0:
                assert sum(solver.strategy_sum[infoset.key, a] for a in infoset.actions) > 0


def test_what_is_discarded_again_adds_up():
    """The threshold is for all mass ever discarded at an information set, not what came since."""
    solver = Remembering(GAMES[5], "linear", "simultaneous", min_skip=1, restart=1, discard=1.0)
    solver.step(100)
    discarded: dict[InfosetKey, list[float]] = {}
    for event in solver.events:
        if event.kind == "discard":
            total_weight = event.iteration * (event.iteration + 1) / 2
            discarded.setdefault(event.infoset, []).append(event.value * total_weight)
    emptied = {
        below.key
        for event in solver.events
        if event.kind == "discard"
        for below in solver.branches.below((event.infoset, event.action))
    }
    repeated = [key for key in discarded if len(discarded[key]) > 1 and key not in emptied]
    assert repeated
    for key in repeated:
        assert discarded[key] == sorted(discarded[key])
        assert solver.lost[key] == pytest.approx(discarded[key][-1])


def test_one_action_is_kept_though_all_lose():
    """The one of largest gap, the first of equals."""
    solver = ReferenceBRP(Matrix([[-2], [-1], [-1], [-3]]), min_skip=1, cut_played=True)
    solver.step()
    solver.sumv[0, "choose"] += 100
    solver._start_where_losing(0)
    assert solver.pruned == {((0, "choose"), row) for row in (0, 2, 3)}
    assert solver.current_strategy()[0, "choose"] == [0, 1, 0, 0]


def test_an_action_that_is_played_is_not_cut():
    solver = ReferenceBRP(Matrix([[-2], [-1], [-1], [-3]]), min_skip=1)
    solver.step()
    played = {row for row in range(4) if solver.regret[(0, "choose"), row] > 0}
    solver.sumv[0, "choose"] += 100
    solver._start_where_losing(0)
    assert played == {1, 2}
    assert solver.pruned == {((0, "choose"), row) for row in (0, 3)}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"algorithm": "fp"}, "algorithm"),
        ({"min_skip": 0.5}, "min_skip"),
        ({"updates": "now"}, "updates"),
        ({"duration": "long"}, "duration"),
        ({"discard_rule": "cubic"}, "discard_rule"),
    ],
)
def test_wrong_parameters(parameters: dict, message: str):
    with pytest.raises(ValueError, match=message):
        ReferenceBRP(Matrix([[0]]), **parameters)
