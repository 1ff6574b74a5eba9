"""The README says nothing that does not run."""

import re
import shlex
from pathlib import Path

import pytest

import secateur
from secateur.cli.parser import build_parser

README = Path(__file__).parents[1] / "README.md"
TEXT = README.read_text(encoding="utf-8")


def test_python_examples_run_and_give_what_they_say() -> None:
    names: dict = {}
    for block in re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL):
        exec(block, names)
    assert names["result"].exploitability <= 1e-4
    assert names["result"].value == pytest.approx(-0.0856, abs=1e-4)
    assert set(names["result"].strategy["Q check bet2"]) == {"fold", "call", "raise2"}
    assert names["state"].iteration == 1000
    value = secateur.solve(names["Coin"](), secateur.Exact()).value
    assert value == pytest.approx(1 / 3)


def test_python_examples_of_the_documents_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # some write files
    documents = sorted((README.parent / "docs").glob("*.md"))
    for document in documents:
        names: dict = {"secateur": secateur}  # blocks of one document follow one another
        for block in re.findall(r"```python\n(.*?)```", document.read_text(), flags=re.DOTALL):
            exec(compile(block, document.name, "exec"), names)


def test_command_lines_are_understood() -> None:
    parser = build_parser()
    lines = [
        line.strip().split("   ")[0]
        for line in TEXT.splitlines()
        if line.startswith("    secateur ")
    ]
    assert len(lines) >= 5
    for line in lines:
        parser.parse_args(shlex.split(line)[1:])


def test_pictures_and_documents_exist() -> None:
    for target in re.findall(r"\]\((?!http)([^)]+)\)", TEXT):
        assert (README.parent / target).exists(), target
