"""The formats in which games and strategies are written for other programs, in one table.

Nothing heavy is imported before something is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Literal

Content = Literal["strategy", "rules"]


@dataclass(frozen=True)
class Format:
    """One format."""

    name: str
    about: str
    """What the file holds."""

    takes: tuple[Content, ...]
    """What is written, in the order in which the writer takes it."""

    writer: str | Callable[..., None]
    """A function of what is written and the path; ``module:function`` is imported when it is
    called. The file must appear whole or not at all: :func:`secateur.atomic.new_file`."""

    takes_columns: bool = False
    """Whether the writer takes further numbers for each sequence, ``columns={name: array}``."""

    @property
    def is_of_strategy(self) -> bool:
        """Whether a strategy is written, or only the rules of a game."""
        return "strategy" in self.takes

    def write(self, path: Path, content: Mapping[Content, Any], **columns: Any) -> None:
        """Write the file; ``content`` has at least what the format takes."""
        write = resolve_name(self.writer) if isinstance(self.writer, str) else self.writer
        write(*(content[each] for each in self.takes), path, **columns)


FORMATS = {
    each.name: each
    for each in (
        Format(
            "csv",
            "a strategy, one line for each action of each information set",
            ("strategy",),
            "secateur.interop.csv_table:export_csv",
            takes_columns=True,
        ),
        Format(
            "gambit",
            "the rules as a Gambit extensive-form file (.efg)",
            ("rules",),
            "secateur.games.gambit.writer:write_efg",
        ),
        Format(
            "gambit-profile",
            "a strategy as a Gambit behavior profile",
            ("strategy", "rules"),
            "secateur.interop.gambit_profile:write_gambit_profile",
        ),
        Format(
            "openspiel",
            "a strategy of a game of OpenSpiel as a policy (JSON)",
            ("strategy",),
            "secateur.interop.open_spiel:export_open_spiel",
        ),
    )
}
"""By the names that are typed behind ``secateur export --to``."""
