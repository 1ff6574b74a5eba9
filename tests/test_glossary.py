"""The glossary names nothing that is not there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROWS = [
    line.strip("|").split("|")
    for line in (ROOT / "docs/glossary.md").read_text("utf-8").splitlines()
    if line.startswith("|") and not line.startswith(("|---", "| our word"))
]
SOURCES = "\n".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].strip())
def test_places_of_words_exist(row: list[str]) -> None:
    assert len(row) == 4
    for place in re.findall(r"`([^`]+)`", row[3]):
        if "/" in place or place.endswith(".py"):
            under = ROOT if place.startswith("tests/") else ROOT / "src/secateur"
            assert any(under.glob(place.rstrip("/"))), place
        else:
            for name in re.findall(r"\w+", place):
                assert name in SOURCES, place
