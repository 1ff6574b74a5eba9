"""Parts that are named in one table are known everywhere, as the document on extending says."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import secateur
from secateur.algorithms import ALGORITHMS, algorithm_options, pruning_options
from secateur.cli.main import main
from secateur.errors import ParameterError
from secateur.minimizers import Minimizer
from secateur.pruning import POLICIES, Pruning
from secateur.runs.parts import described, solver_from
from support.tables import restored_tables
from test_readme import run_blocks

DOCUMENT = Path(__file__).parents[1] / "docs" / "extending.md"


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict]:
    """Run the document; what it has named is known until the end of this module."""
    with restored_tables(), pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("extending"))
        yield run_blocks(DOCUMENT)


def test_a_minimizer_has_a_name_options_and_files(names: dict, capsys):
    solver = secateur.CFR(names["LinearPlus"](2.0), secateur.Averaging(power=2))
    command = ["solve", "kuhn", "--power", "2", "--iterations", "9", "--json", "--algorithm"]
    assert main([*command, "lcfr+"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["algorithm"] == "lcfr+"
    assert facts["options"]["power"] == 2.0
    assert "LinearPlus(power=2.0)" in facts["solver"]
    assert solver_from(described(solver)) == solver
    assert main([*command, "cfr"]) == 2
    assert "but with lcfr+; leave it out" in " ".join(capsys.readouterr().err.split())
    assert main(["solve", "--help"]) == 0
    assert "lcfr+: the power of t by which regrets weigh" in " ".join(
        capsys.readouterr().out.split()
    )


def test_a_minimizer_whose_regrets_may_be_no_sums_is_pruned_by_best_responses_only(names: dict):
    minimizer = names["LinearPlus"]()
    with pytest.raises(ParameterError, match="with LinearPlus: its regrets are no plain"):
        secateur.CFR(minimizer, pruning=secateur.RegretBasedPruning())
    pruning = secateur.BestResponsePruning(check_every=50)
    solver = secateur.CFR(minimizer, averaging=secateur.Averaging(1.0), pruning=pruning)
    result = secateur.solve("leduc", solver, secateur.until.iterations(500))
    assert result.regret_entries_live < 0.8 * result.game.cells
    assert result.exploitability < 0.05


def test_a_policy_has_a_name_options_and_files(names: dict, capsys):
    policy = names["PruneIfLarge"]
    result = names["result"]
    assert result.regret_entries_live < result.game.cells
    assert secateur.open_run("kept").solver == secateur.recipes.cfr(pruning=policy())
    small = secateur.solve("kuhn", secateur.recipes.cfr(pruning=policy()), 0.1)
    assert small.regret_entries_live == small.game.cells
    with pytest.raises(ParameterError, match="with Hedge"):
        secateur.recipes.hedge(pruning=policy())
    with pytest.raises(ParameterError, match="fictitious play with PruneIfLarge: it has no"):
        secateur.FictitiousPlay(pruning=policy())
    with pytest.raises(ParameterError, match=r"or PruneIfLarge\(\)"):
        secateur.CFR(pruning="auto")
    assert main(["solve", "kuhn", "--prune", "rbp", "--large", "5"]) == 2
    assert "--large goes with '--prune auto' only" in capsys.readouterr().err
    assert main(["status", "kept", "--json"]) == 0
    (status,) = json.loads(capsys.readouterr().out)
    assert status["options"]["prune"] == "auto"


def test_a_game_is_listed_and_solved(names: dict, capsys):
    assert secateur.load("pennies") is not None
    assert main(["games", "pennies"]) == 0
    assert "What heads are worth." in capsys.readouterr().out
    value = secateur.solve(names["Pennies"](), "exact").value
    assert value == pytest.approx(1 / 5)  # (2 * 1 - 1) / (2 + 1 + 2)


def test_a_format_is_listed_and_written(names: dict, capsys):
    lines = [json.loads(line) for line in Path("kuhn.jsonl").read_text().splitlines()]
    assert len(lines) == 12
    assert all(sum(each["played"].values()) == pytest.approx(1.0) for each in lines)
    assert main(["export", "kuhn", "--to", "jsonl", "x"]) == 2
    assert "name one with --strategy" in capsys.readouterr().err
    assert main(["export", "--help"]) == 0
    assert "jsonl: a strategy" in " ".join(capsys.readouterr().out.split())


def test_a_command_is_listed_and_run(names: dict, capsys):
    assert main(["size", "kuhn", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["histories"] == 55
    assert main(["size", "poker"]) == 2
    assert "unknown game 'poker'" in capsys.readouterr().err
    assert main(["--help"]) == 0
    assert "count what a game has" in capsys.readouterr().out


def test_bases_of_parts_cannot_be_made():
    for base in (Pruning, Minimizer):
        with pytest.raises(TypeError, match="abstract"):
            base()


def test_classes_are_abstract_or_final():
    kinds = set()
    for module in pkgutil.walk_packages(secateur.__path__, "secateur."):
        if not module.name.endswith("__main__") and not module.name.startswith("secateur.kernels"):
            found = inspect.getmembers(importlib.import_module(module.name), inspect.isclass)
            kinds |= {kind for _, kind in found if kind.__module__.startswith("secateur.")}
    bases = {base for kind in kinds for base in kind.__bases__} & kinds
    concrete = {kind for kind in bases if not inspect.isabstract(kind)}
    assert all(issubclass(kind, Exception) for kind in concrete), concrete


@pytest.mark.parametrize("policy", POLICIES.values(), ids=lambda each: each.name)
def test_a_policy_says_all_about_itself(policy: type[Pruning]):
    assert all((policy.name, policy.title, policy.about))
    fields = policy().__dataclass_fields__
    assert all(option.sets.removeprefix("pruning.") in fields for option in policy.options)


def test_no_option_belongs_to_a_policy_and_to_an_algorithm():
    assert not pruning_options().keys() & algorithm_options().keys()


@pytest.mark.parametrize("name", ALGORITHMS)
def test_options_of_an_algorithm_set_what_it_has(name: str):
    solver = ALGORITHMS[name].solver()
    for option in ALGORITHMS[name].options:
        part = option.sets.partition(".")[0]
        assert part in solver.__dataclass_fields__
