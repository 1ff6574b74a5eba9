"""Runs to look at, and a page that shows them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import secateur
from secateur.explore.sources import RunSource
from secateur.until import iterations
from support.explored import PRUNED, Page, served


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run that prunes and one that does not."""
    folder = tmp_path_factory.mktemp("runs")
    secateur.solve("leduc", PRUNED, iterations(700), run=folder / "pruned")
    secateur.solve("leduc", "cfr+", iterations(300), run=folder / "plus")
    return folder


@pytest.fixture(scope="session")
def page(runs: Path) -> Iterator[Page]:
    """A page that shows both runs, which are open."""
    with served(RunSource(runs / "pruned"), RunSource(runs / "plus")) as found:
        yield found
