"""Runs on a cluster: the same bits as in one process, whatever is lost, and clear errors."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import secateur
from secateur.cli.main import main
from secateur.cluster import balance, engine, shard, shards, solving, sources, state
from secateur.cluster.letters import Errand, Letters
from secateur.cluster.uses import uses_of
from secateur.compiled import cut
from secateur.compiled import game as compiled_game
from secateur.compiled.game import CompiledGame
from secateur.compiled.measuring import measured
from secateur.compiled.part_compiler import Plan, compile_pieces, compile_trunk
from secateur.compiled.parts import Part, pieces_of, trunk_of
from secateur.conditions import Condition
from secateur.kernels.core.pieces import Pieces
from secateur.results import Result
from support.local_cluster import LocalCluster

SMALL = {"bet_sizes": "1,2/2"}
ITERATIONS = secateur.until.iterations(20)


@pytest.fixture(autouse=True)
def _small_games_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "cut_outline", partial(cut.cut_outline, least_work=0))
    monkeypatch.setattr(compiled_game, "find_cut", partial(cut.find_cut, least_work=0))


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch) -> Callable[..., LocalCluster]:
    """Return a function that lets runs take place on a cluster in this process."""

    def install(*accidents: Any) -> LocalCluster:
        cluster = LocalCluster(*accidents)
        monkeypatch.setattr(solving, "Cluster", lambda _: cluster)
        monkeypatch.setattr(solving, "imported", lambda: None)
        return cluster

    return install


def leduc(**settings: Any) -> secateur.Game:
    return secateur.load("leduc", **(SMALL | settings))


def bits(result: Result, run: Path) -> list[Any]:
    """Return all that a run has found, but for times and memory."""
    kept = [each.nash_conv for each in result.history]
    text = (run / "strategy.json").read_bytes()
    return [kept, result.value, result.best_response_values, result.nodes_touched, text]


def solved(
    run: Path,
    solver: Any = "dcfr",
    until: Condition = ITERATIONS,
    game: secateur.Game | CompiledGame | None = None,
    **where: Any,
) -> list[Any]:
    result = secateur.solve(game or leduc(), solver, until, run=run, **where)
    return bits(result, run)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., list[Any]]:
    """Return a function that tells what a run in one process finds, and runs it once only."""

    @cache
    def found(solver: Any = "dcfr") -> list[Any]:
        return solved(tmp_path_factory.mktemp("alone") / "run", solver)

    return found


def resumed(run: Path, until: Condition = ITERATIONS, **where: Any) -> list[Any]:
    return bits(secateur.resume(run, until, **where), run)


# -- parts

PARTED: dict[str, dict[str, Any]] = {
    "leduc": SMALL,
    "liars_dice": {"sides": 4},
    "holdem": {
        "board": "7s8h2d3c",
        "range_0": "AsAh,KsKh,JhTh",
        "range_1": "QdQc,9s9h,AdKd",
        "pot": 10,
        "stack": 20,
        "bets": "50%",
    },
}


def assert_same(mine: Part, other: Part) -> None:
    assert all((a == b).all() for a, b in zip(mine.cut, other.cut, strict=True))
    theirs = other.game.all_arrays()
    for name, part in mine.game.all_arrays().items():
        np.testing.assert_array_equal(part, theirs[name], err_msg=name)


@pytest.mark.parametrize("pruning", [False, True])
@pytest.mark.parametrize("name", PARTED)
def test_parts_that_are_compiled_apart_are_those_of_the_whole_game(name: str, pruning: bool):
    rules = secateur.load(name, **PARTED[name])
    game = secateur.compile(rules, pruning=pruning)
    assert isinstance(rules, secateur.PublicGame)
    outline = measured(rules)
    plan = Plan(outline, cut.cut_outline(outline, least_work=0))
    assert all((a == b).all() for a, b in zip(plan.cut, game.cut, strict=True))
    assert len(outline.block) <= outline.blocks == len(game.arrays.player)
    count = len(plan.cut.first)
    assert count > 5
    contributions = {}
    for numbers in (range(0, count, 2), range(1, count, 2)):
        found = compile_pieces(rules, plan, numbers, pruning=pruning)
        assert_same(found.part, pieces_of(game, game.cut, numbers))
        contributions |= found.contributions
    trunk = compile_trunk(rules, plan, contributions, pruning=pruning)
    assert_same(trunk, trunk_of(game, game.cut))
    assert (trunk.game.root_histories, trunk.game.payoffs) == (game.root_histories, game.payoffs)


def test_work_is_shared_out_evenly():
    work = np.array([50, 1, 1, 30, 20, 40, 10, 8])
    found = sources.shared_out(work, 3)
    assert sorted(piece for each in found for piece in each) == list(range(8))
    loads = [int(work[each].sum()) for each in found]
    assert max(loads) - min(loads) <= 10


def test_pieces_move_from_who_has_most_to_who_has_least():
    costs = np.array([4.0, 3.0, 2.0, 1.0, 1.0, 1.0])
    found = balance.evened([[0, 1, 2], [3], [4, 5]], costs)
    assert sorted(piece for each in found for piece in each) == list(range(6))
    assert max(costs[each].sum() for each in found) <= 5.0
    assert balance.evened(found, costs) == found
    assert balance.evened([[0], [3]], costs) == [[0], [3]]


def test_shards_are_evened_out_if_one_takes_longer_for_a_while():
    watch, holdings, work = balance.Balance(2), [[0, 1, 2, 3], [4, 5, 6, 7]], np.full(8, 10)
    looks = [watch.look(np.array([3.0, 1.0]) * k, holdings, work) for k in (1, 2, 3)]
    assert looks[:2] == [None, None]
    assert [len(each) for each in looks[2]] == [3, 5]
    assert watch.look(np.array([12.0, 6.0]), holdings, work) is None
    even = balance.Balance(2)
    assert not any(even.look(np.array([1.1, 1.0]) * k, holdings, work) for k in range(1, 9))


# -- the same bits

SOLVERS: dict[str, Any] = {
    "cfr+": "cfr+",
    "dcfr, counted": secateur.CFR(
        secateur.DiscountedRegretMatching(alpha=1.5, beta=0.0), count_nodes=True
    ),
    "pcfr+, simultaneous, float32": secateur.CFR(
        secateur.PredictiveRegretMatchingPlus(),
        updates="simultaneous",
        storage=secateur.Storage("float32"),
    ),
    "hedge": "hedge",
    "thresholds": secateur.CFR(thresholding=secateur.DynamicThresholding(2)),
    "no pruning": secateur.CFR(pruning=secateur.NoPruning()),
}


@pytest.mark.parametrize("name", sorted(SOLVERS))
def test_any_number_of_shards_gives_the_bits_of_one_process(
    name: str, tmp_path: Path, local: Callable[..., LocalCluster], alone: Callable[..., list[Any]]
):
    solver = SOLVERS[name]
    expected = alone(solver)
    for count in (1, 3):
        local()
        found = solved(tmp_path / f"{count}", solver, cluster="auto", shards=count)
        assert found == expected


def test_holdem_in_shards_gives_the_bits_of_one_process(
    tmp_path: Path, local: Callable[..., LocalCluster]
):
    pytest.importorskip("eval7", reason="eval7 is not installed: the extra 'holdem'")
    ranges = {"range_0": "98s,AsAh:0.5", "range_1": "KQs,55:0.3"}
    game = secateur.load("holdem", board="Qs8h5s2s", **ranges, bets="75%", stack=120)
    until = secateur.until.iterations(8)
    local()
    expected = solved(tmp_path / "alone", until=until, game=game)
    assert expected[0][-1] < expected[0][0], "hands of two cards play"
    for name, where in {"rules": game, "slices": secateur.compile(game)}.items():
        run = tmp_path / name
        assert solved(run, until=until, game=where, cluster="auto", shards=3) == expected


def test_letters_hold_only_what_pieces_use():
    game = secateur.compile(leduc())
    numbers = np.arange(len(game.cut.first))
    uses = uses_of(Part(game, game.cut))
    pieces = Pieces.of(game.cut)
    letters = Letters(pieces, numbers, uses)
    letter = letters.down(Errand.ITERATE, 1, 0, 0)
    assert len(letter.reach) < game.cut.slots[1::2].sum() / 5
    # the other player's values were there before
    pieces.value[:] = 1.0
    letters.take_up(0, letters.up(0, 0.0))
    assert pieces.value.sum() == sum(map(len, uses.slots[0]))


def test_games_without_public_states_are_sent_in_slices(
    tmp_path: Path, local: Callable[..., LocalCluster]
):
    game = secateur.load("battleship")
    assert not isinstance(game, secateur.PublicGame)
    local()
    expected = solved(tmp_path / "alone", game=game)
    assert solved(tmp_path / "slices", game=game, cluster="auto", shards=2) == expected
    # what was compiled before is cut where it is
    compiled = secateur.compile(leduc())
    expected = solved(tmp_path / "rules", cluster="auto")
    assert solved(tmp_path / "compiled", game=compiled, cluster="auto") == expected


def test_a_run_goes_on_with_other_shards_and_on_one_machine(
    tmp_path: Path, local: Callable[..., LocalCluster], alone: Callable[..., list[Any]]
):
    expected = alone("hedge")
    local()
    early, later = secateur.until.iterations(7), secateur.until.iterations(13)
    solved(tmp_path / "a", "hedge", early, cluster="auto", shards=2)
    resumed(tmp_path / "a", later, cluster="auto", shards=5)
    assert resumed(tmp_path / "a") == expected
    assert not list((tmp_path / "a").glob("checkpoint-7.*"))
    solved(tmp_path / "b", "hedge", early)
    assert resumed(tmp_path / "b", cluster="auto", shards=4) == expected


def test_pieces_may_move_while_a_run_goes_on(
    tmp_path: Path,
    local: Callable[..., LocalCluster],
    monkeypatch: pytest.MonkeyPatch,
    alone: Callable[..., list[Any]],
):
    moves = iter([[0, 1], [2], []])

    def look(_: Any, __: Any, holdings: list[list[int]], ___: Any) -> list[list[int]] | None:
        moved = next(moves, [])
        rest = [sorted({*each} - {*moved}) for each in holdings]
        return [*rest[:-1], sorted([*rest[-1], *moved])] if moved else None

    monkeypatch.setattr(balance.Balance, "look", look)
    local()
    run = tmp_path / "run"
    solved(run, until=secateur.until.iterations(10), cluster="auto", shards=3)
    assert [each.pieces for each in secateur.open_run(run).shards][2] > 2
    found = resumed(run, cluster="auto", shards=2)
    assert found == alone()
    assert len(secateur.open_run(run).shards) == 2
    assert resumed(run, secateur.until.iterations(25)) != found
    assert secateur.open_run(run).shards == []


def test_the_result_tells_of_the_whole_game(tmp_path: Path, local: Callable[..., LocalCluster]):
    local()
    run = tmp_path / "run"
    result = secateur.solve(leduc(), "cfr+", ITERATIONS, run=run, cluster="auto", shards=2)
    whole = secateur.compile(leduc())
    assert result.game.fingerprint == whole.fingerprint
    shared = {"bytes": 0, "matrices": 0}  # parts have tables of their own
    assert result.game.size._replace(**shared) == whole.size._replace(**shared)
    assert len(result.strategy) < whole.size.information_sets
    strategy = secateur.load_strategy(whole, run / "strategy.json")
    assert secateur.nash_conv(whole, strategy) == pytest.approx(result.nash_conv)
    first = next(iter(result.strategy))
    assert result.strategy[first] == strategy[first]
    result.save(tmp_path / "copy.json")
    assert (tmp_path / "copy.json").read_bytes() == (run / "strategy.json").read_bytes()
    with pytest.raises(secateur.ParameterError, match=r"does not end in \.bin"):
        result.save(tmp_path / "copy.bin")


# -- accidents


@pytest.mark.parametrize("seed", range(4))
def test_shards_may_be_lost_at_any_moment(
    seed: int, tmp_path: Path, local: Callable[..., LocalCluster], alone: Callable[..., list[Any]]
):
    dice = random.Random(seed)
    losses = {dice.randrange(4, 75): dice.randrange(3) for _ in range(6)}
    cluster = local(lambda call, _: [losses[call]] if call in losses else [])
    with pytest.warns(RuntimeWarning, match="is lost: by accident; it is replaced"):
        found = solved(
            tmp_path / "run", cluster="auto", shards=3, checkpoint_every=dice.choice((1e-3, 60.0))
        )
    assert found == alone()
    assert cluster.hired > 3


def test_a_checkpoint_is_complete_or_not_there(
    tmp_path: Path, local: Callable[..., LocalCluster], alone: Callable[..., list[Any]]
):
    once = iter([[1]])
    local(lambda _, method: next(once, []) if method == "save" else [])
    with pytest.warns(RuntimeWarning, match="is lost"):
        found = solved(tmp_path / "run", cluster="auto", shards=2)
    assert found == alone()
    assert resumed(tmp_path / "run", cluster="auto", shards=3) == found


def test_shards_that_are_lost_again_and_again_end_the_run(
    tmp_path: Path, local: Callable[..., LocalCluster], alone: Callable[..., list[Any]]
):
    run = tmp_path / "run"
    local()
    solved(run, until=secateur.until.iterations(10), cluster="auto", shards=2)
    local(lambda _, method: [0] if method == "sweep" else [])
    with (
        pytest.warns(RuntimeWarning),
        pytest.raises(secateur.SecateurError, match="in a row, so the run ends here"),
    ):
        secateur.resume(run, ITERATIONS, cluster="auto", shards=2)
    assert resumed(run) == alone()


def test_a_damaged_part_is_noticed_and_the_checkpoint_before_is_used(
    tmp_path: Path, local: Callable[..., LocalCluster], alone: Callable[..., list[Any]]
):
    run = tmp_path / "run"
    local()
    solved(run, until=secateur.until.iterations(10), cluster="auto", shards=2)
    resumed(run, secateur.until.iterations(15), cluster="auto", shards=2)
    part = run / "checkpoint-15.part-1"
    content = bytearray(part.read_bytes())
    content[-1000] ^= 1
    part.write_bytes(content)
    with pytest.warns(RuntimeWarning, match=r"does not match.*iteration 10"):
        found = resumed(run, cluster="auto", shards=2)
    assert found == alone()


# -- bad input


def refused(run: Path, match: str, solver: Any = "cfr+", **where: Any) -> None:
    where = {"cluster": "auto"} | where
    with pytest.raises(secateur.SecateurError, match=match) as caught:
        secateur.solve(leduc(), solver, ITERATIONS, run=run, **where)
    assert "\n" not in str(caught.value)
    assert not (run / "run.json").exists()


def test_what_cannot_be_run_on_a_cluster_is_refused(
    tmp_path: Path, local: Callable[..., LocalCluster], monkeypatch: pytest.MonkeyPatch
):
    local()
    run = tmp_path / "run"
    refused(run, "the game is cut into .* pieces; use at most as many", shards=10_000)
    refused(run, "use a whole number of shards", shards=0)
    refused(run, "give 'auto'", cluster="")
    refused(run, "EGT on a cluster: only CFR", "egt")
    brp = secateur.CFR(pruning=secateur.BestResponsePruning())
    refused(run, "best-response pruning on a cluster", brp)
    refused(run, "int16 storage on a cluster", secateur.CFR(storage=secateur.Storage("int16")))
    refused(run, "do not go with a cluster", memory_limit=10**9)
    refused(run, "shards are parts of a run on a cluster", cluster=None, shards=2)
    with pytest.raises(secateur.ParameterError, match="is kept in a directory"):
        secateur.solve(leduc(), "cfr+", cluster="auto")
    monkeypatch.undo()
    refused(run, "too small to be cut into pieces")


def test_machines_must_run_the_same_program(
    tmp_path: Path, local: Callable[..., LocalCluster], monkeypatch: pytest.MonkeyPatch
):
    local()
    mine = shard.versions()
    monkeypatch.setattr(shards, "versions", lambda: mine | {"numba": "0.1"})
    refused(tmp_path / "run", f"numba is 0.1 here but {mine['numba']} on a machine of the cluster")


def test_machines_must_see_the_run(
    tmp_path: Path, local: Callable[..., LocalCluster], monkeypatch: pytest.MonkeyPatch
):
    local()
    monkeypatch.setattr(
        shard.Shard, "begin", lambda self, token: shard.Hired(shard.versions(), sees=False)
    )
    refused(tmp_path / "run", "not all machines of the cluster see .*/run; give a directory on")


def test_without_ray_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    refused(tmp_path / "run", r"needs Ray, .* pip install 'secateur-solver\[cluster\]'")


def test_an_address_where_nobody_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(solving, "imported", lambda: None)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
        begin = time.monotonic()
        refused(tmp_path / "run", f"cluster '{address}': nobody answers there", cluster=address)
        assert time.monotonic() - begin < 60
    refused(tmp_path / "run", "give 'auto', or an address", cluster="somewhere")


# -- Ray


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    """Start one small cluster for all tests."""
    ray = pytest.importorskip("ray", reason="Ray is not installed: the extra 'cluster'")
    ray.init(
        num_cpus=3,
        include_dashboard=False,
        object_store_memory=80 << 20,
        log_to_driver=False,
        logging_level="error",
    )
    yield ray
    ray.shutdown()


_MANY = 100
"""Actors that there would be room for: those who wait for work leave enough for others."""


class Staff(engine.Cluster):
    """Has actors who have done their work take on the next run: most of a test is to start them."""

    idle: ClassVar[list[Any]] = []

    def threads_each(self, count: int) -> int:
        return 2

    def hire(self, kind: type, arguments: Sequence[Any], count: int) -> Any:
        return self.idle.pop() if self.idle else super().hire(kind, arguments, _MANY)

    def dismiss(self, actors: Sequence[Any]) -> None:
        self.idle.extend(actors)


@pytest.fixture
def staff(ray: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "Cluster", Staff)


def test_actors_give_the_bits_of_one_process(
    staff: None, tmp_path: Path, alone: Callable[..., list[Any]]
):
    for count in (4, 2, 1):
        run = tmp_path / f"{count}"
        assert solved(run, "cfr+", cluster="auto", shards=count) == alone("cfr+")


def test_actors_may_be_killed_or_hang(
    staff: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, alone: Callable[..., list[Any]]
):
    found: list[state.ClusterState] = []
    start = state.ClusterState.__init__

    def noted(self: state.ClusterState, *arguments: Any) -> None:
        found.append(self)
        start(self, *arguments)

    monkeypatch.setattr(state.ClusterState, "__init__", noted)
    monkeypatch.setattr(shards, "_TIMES", 0.0)

    def disturb(history: list[Any]) -> None:
        iteration = history[-1].iteration
        how = {5: signal.SIGKILL, 12: signal.SIGSTOP}.get(iteration)
        if how:
            patience = 60.0 if how == signal.SIGKILL else 3.0
            monkeypatch.setattr(shards, "_LEAST_PATIENCE", patience)
            os.kill(found[0].conditions()[iteration % 2].process, how)

    run = tmp_path / "run"
    with pytest.warns(RuntimeWarning) as warned:
        result = secateur.solve(
            leduc(),
            "dcfr",
            ITERATIONS,
            disturb,
            run=run,
            cluster="auto",
            shards=2,
            checkpoint_every=1e-3,
        )
    assert bits(result, run) == alone()
    told = [str(each.message) for each in warned]
    assert "shard 1 is lost" in told[0]
    assert any("shard 0 is lost: it has not answered for 3 seconds" in each for each in told[1:])


def test_memory_that_runs_out_is_told(ray: Any):
    class Hungry:
        def eat(self) -> None:
            raise MemoryError

    cluster = engine.Cluster("auto")
    actor = cluster.hire(Hungry, (), 4)
    with pytest.raises(engine.LostError, match="it ran out of memory; use more shards"):
        cluster.ask([actor], "eat", [()], 60.0)


def test_a_driver_that_is_killed_is_resumed(
    ray: Any, staff: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    run = tmp_path / "run"
    address = ray.get_runtime_context().gcs_address
    sizes = "1,2,3,4,5,6/2,4,6,8,10,12"  # as many as it takes to be cut
    how = ["--algorithm", "cfr+", "--iterations", "30", "--run", str(run)]
    where = ["--cluster", address, "--shards", "2", "--checkpoint-every", "0.01", "--json"]
    solve = [sys.executable, "-m", "secateur", "solve", "leduc", "--set", f"bet_sizes={sizes}"]
    driver = subprocess.Popen(
        [*solve, *how, *where],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while driver.poll() is None and not list(run.glob("checkpoint-*")):
        time.sleep(0.05)
    assert driver.poll() is None, "it must not end before it is killed"
    driver.kill()
    driver.wait()
    assert main(["resume", str(run), "--cluster", address, "--shards", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert main(["status", str(run), "--json"]) == 0
    (now,) = json.loads(capsys.readouterr().out)
    game = secateur.load("leduc", bet_sizes=sizes)
    expected = secateur.solve(game, "cfr+", secateur.until.iterations(30))
    assert (told["nash_conv"], told["value"]) == (expected.nash_conv, expected.value)
    assert now["latest"]["nash_conv"] == expected.nash_conv
    assert len(now["shards"]) == 2
    assert told["sequences"] == expected.game.size.sequences
