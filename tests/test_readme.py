"""The README says nothing that does not run."""

import doctest
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import secateur
from secateur import recipes
from secateur.cli.parser import build_parser
from support.tables import restored_tables

README = Path(__file__).parents[1] / "README.md"
TEXT = README.read_text(encoding="utf-8")
DOCUMENTS = sorted((README.parent / "docs").rglob("*.md"))
WITH_PYTHON = [path for path in DOCUMENTS if "```python" in path.read_text("utf-8")]
RECIPES = [getattr(recipes, name) for name in recipes.__all__]
CONTINUES = "# continues the code above\n"


def run_blocks(document: Path) -> dict:
    """Run each Python block as if it were pasted into a new session; return all names.

    A block that says in its first line that it goes on gets what was defined before.
    """
    names: dict = {}
    blocks = re.findall(r"```python\n(.*?)```", document.read_text("utf-8"), flags=re.DOTALL)
    for block in blocks:
        session = names if block.startswith(CONTINUES) else {}
        exec(compile(block, document.name, "exec"), session)
        names.update(session)
    return names


def test_python_examples_run_and_give_what_they_say() -> None:
    names = run_blocks(README)
    assert names["result"].exploitability <= 1e-4
    assert names["result"].value == pytest.approx(-0.0856, abs=1e-4)
    assert set(names["result"].strategy["Q check bet2"]) == {"fold", "call", "raise2"}
    assert names["state"].iteration == 1000
    value = secateur.solve(names["Coin"](), secateur.Exact()).value
    assert value == pytest.approx(1 / 3)


@pytest.mark.parametrize("document", WITH_PYTHON, ids=lambda path: path.name)
def test_python_examples_of_the_documents_run(
    document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # some write files
    with restored_tables():  # and one names parts of its own
        run_blocks(document)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.__name__)
def test_examples_of_recipes_run(recipe: Callable[..., Any]) -> None:
    (example,) = doctest.DocTestFinder().find(recipe, recipe.__name__)
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0


@pytest.mark.parametrize("document", [README, *DOCUMENTS], ids=lambda path: path.name)
def test_command_lines_are_understood(document: Path) -> None:
    parser = build_parser()
    lines = [
        line.strip().split("   ")[0]
        for line in document.read_text("utf-8").splitlines()
        if line.startswith("    secateur ")
    ]
    assert len(lines) >= 5 or document != README
    for line in lines:
        parser.parse_args(shlex.split(line)[1:])


def test_pictures_and_documents_exist() -> None:
    for target in re.findall(r"\]\((?!http)([^)]+)\)", TEXT):
        assert (README.parent / target).exists(), target
