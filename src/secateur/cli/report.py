"""How results are printed: tables for people, JSON for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from secateur.games.rules import PLAYERS

if TYPE_CHECKING:
    from secateur.compiled.game import InformationSet
    from secateur.strategy import Strategy


def console() -> Console:
    """Return the console for results; labels of games must not be taken for markup."""
    return Console(markup=False, highlight=False, emoji=False)


def print_json(content: Any) -> None:
    """Print one JSON value on one line. Numbers that JSON does not have become null."""
    print(json.dumps(_finite(content), allow_nan=False))


def _finite(content: Any) -> Any:
    if isinstance(content, Mapping):
        return {key: _finite(value) for key, value in content.items()}
    if isinstance(content, (list, tuple)):
        return [_finite(value) for value in content]
    if isinstance(content, float) and not math.isfinite(content):
        return None
    return content


def facts_table(facts: Mapping[str, str]) -> Table:
    """Return names and what they are, one a line."""
    table = Table(show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, fact in facts.items():
        table.add_row(name, fact)
    return table


def strategy_table(strategy: Strategy, infosets: Iterable[InformationSet]) -> Table:
    """Return how some information sets are played."""
    table = Table()
    names = strategy.game.players
    if names == PLAYERS:
        names = ("0", "1")
    table.add_column("player", justify="right")
    table.add_column("information set", style="bold", overflow="fold")
    table.add_column("strategy", overflow="fold")
    for infoset in infosets:
        probabilities = strategy.probabilities[infoset.cells].tolist()
        played = "  ".join(
            f"{action}={probability:.3f}"
            for action, probability in zip(infoset.actions, probabilities, strict=True)
        )
        table.add_row(names[infoset.player], one_line(infoset.label), played)
    return table


def one_line(label: str) -> str:
    """Return a label, which may have several lines, as one."""
    return " / ".join(filter(None, map(str.strip, label.splitlines())))


def number(value: float) -> str:
    """Return a measured number with the digits that matter."""
    return f"{value:.4g}"


def exploitability_in_words(exploitability: float, pot: float | None) -> str:
    """Return an exploitability, also as a share of the pot if there is one."""
    share = "" if pot is None else f"; {100 * exploitability / pot:.3g}% of the pot"
    return f"{number(exploitability)} (half of NashConv{share})"


def duration(seconds: float) -> str:
    """Return a time with the precision that matters."""
    if seconds < 60.0:
        return f"{seconds:.2f} s" if seconds < 10.0 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s"


def size_in_words(histories: int, information_sets: int, sequences: int) -> str:
    """Return how large a game is."""
    return (
        f"{histories:,} histories, {information_sets:,} information sets, {sequences:,} sequences"
    )
