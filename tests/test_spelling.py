"""Text is in American spelling."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("src", "tests", "docs", "benchmarks", "examples", "tools")
SUFFIXES = {".py", ".md", ".ipynb", ".css"}

BRITISH = re.compile(
    r"(?:behavio|colo|favo|hono|neighbo|rigo)ur|licence|catalogue|centre|defence|artefact|adaptor|"
    r"fulfil(?!l)|(?:label|cancel|model|travel)l(?:ed|ing)|whilst|per cent|grey|analys(?:e|ing)|"
    r"(?:author|character|custom|equal|factor|final|general|initial|maxim|memor|minim|normal|optim|"
    r"organ|parallel|parametr|penal|polar|random|real|recogn|serial|special|standard|summar|symmetr|"
    r"synchron|token|util|vector|visual)is(?:e|ation|ing)",
    re.IGNORECASE,
)

ALLOWED = {
    r'"behaviour": ': "an array in checkpoints",
    r"numba_array_adaptor": "a function of Numba",
}
"""What may stand nevertheless, and why."""

TEXTS = sorted(
    path
    for start in (ROOT, *(ROOT / folder for folder in FOLDERS))
    for path in (start.glob("*") if start == ROOT else start.rglob("*"))
    if path.suffix in SUFFIXES or path.name in {"mkdocs.yml", "pyproject.toml", "CITATION.cff"}
)


def british(text: str) -> list[tuple[int, str]]:
    """Return lines and words in British spelling."""
    for allowed in ALLOWED:
        text = re.sub(allowed, "", text)
    lines = enumerate(text.splitlines(), 1)
    return [(number, word[0]) for number, line in lines for word in BRITISH.finditer(line)]


def test_all_text_is_in_american_spelling() -> None:
    found = []
    for path in TEXTS:
        name = path.relative_to(ROOT).as_posix()
        if path != Path(__file__):
            text = path.read_text(encoding="utf-8")
            found += [f"{name}:{number}: {word}" for number, word in british(text)]
    assert not found, "British spelling:\n" + "\n".join(found)


@pytest.mark.parametrize("word", ["behaviour", "Minimiser", "normalised", "catalogues", "fulfils"])
def test_british_spelling_is_found(word: str) -> None:
    assert british(f"a line\nand a {word} here") == [(2, british(word)[0][1])]


@pytest.mark.parametrize("word", ["optimistic", "otherwise", "minimizer", "fulfilled", "realistic"])
def test_american_spelling_is_not(word: str) -> None:
    assert not british(word)


def test_exceptions_are_needed() -> None:
    everything = "\n".join(path.read_text(encoding="utf-8") for path in TEXTS)
    for allowed in ALLOWED:
        assert re.search(allowed, everything), allowed
