"""What hints and documents tell people to install exists, under the name that is ours."""

import re
import tomllib
from pathlib import Path

import pytest

from secateur import extras

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
SPEAKING = [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("src/secateur/**/*.py")]


def test_the_distribution_is_called_as_the_project_says() -> None:
    assert PROJECT["name"] == extras.DISTRIBUTION != "secateur"


@pytest.mark.parametrize("path", SPEAKING, ids=lambda path: str(path.relative_to(ROOT)))
def test_whatever_is_to_be_installed_is_there(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"(?<!import )\bsecateur\[", text)
    named = re.findall(re.escape(extras.DISTRIBUTION) + r"\[(\w+)\]", text)
    named += re.findall(r"pip install '\.\[(\w+)\]'", text)
    named += re.findall(r"how_to_install\([\"'](\w+)[\"']\)", text)
    assert set(named) <= set(PROJECT["optional-dependencies"])


def test_extras_refer_to_the_distribution_itself() -> None:
    lines = [line for extra in PROJECT["optional-dependencies"].values() for line in extra]
    own = [line for line in lines if line.startswith("secateur")]
    assert own
    assert all(line.startswith(f"{extras.DISTRIBUTION}[") for line in own)
