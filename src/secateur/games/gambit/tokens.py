"""Splits the text of an ``.efg`` file as Gambit does, and knows the place of every piece."""

from __future__ import annotations

import re
from typing import NoReturn

from secateur.errors import FileError
from secateur.games.gambit.labels import shortened

MARK = "mark"
NUMBER = "number"
TEXT = "text"
WORD = "word"
END_OF_FILE = "end"

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<mark>[{},])
    # a quote behind a backslash does not end a text
    | (?P<text>"[^"]*+(?:(?<=\\)"[^"]*+)*+")
    | (?P<open>")
    | (?P<number>[-+]?(?:\d+(?:/\d+|(?:\.\d*)?(?:[eE][-+]?\d+)?)|\.\d+(?:[eE][-+]?\d+)?))
    | (?P<word>\S+)
    | (?P<end>\Z)
    )""",
    re.ASCII | re.VERBOSE,
)
_ESCAPED = re.compile(r"\\([\"\\])")


class Tokens:
    """The pieces of a text, one at a time."""

    kind: str
    """What the present piece is: MARK, NUMBER, TEXT, WORD or END_OF_FILE."""

    value: str
    start: int
    """Where the present piece begins."""

    def __init__(self, text: str, source: str) -> None:
        self.text = text
        self.source = source
        self._next = 0
        self.advance()

    def advance(self) -> None:
        """Go to the next piece."""
        found = _TOKEN.match(self.text, self._next)
        assert found is not None
        assert found.lastgroup is not None
        self.kind = found.lastgroup
        self.value = found[self.kind]
        self._next = found.end()
        self.start = self._next - len(self.value)
        if self.kind == TEXT:
            self.value = self.value[1:-1]
            if "\\" in self.value:
                self.value = _ESCAPED.sub(r"\1", self.value)
        elif self.kind == "open":
            self.fail("a text begins here and never ends; close it with a double quote")

    def take(self, kind: str, expected: str) -> str:
        """Return the present piece if it is of that kind, and go to the next."""
        if self.kind != kind:
            self.fail_expecting(expected)
        value = self.value
        self.advance()
        return value

    def take_mark(self, mark: str) -> None:
        """Go past a brace or comma."""
        if (self.kind, self.value) != (MARK, mark):
            self.fail_expecting(f"'{mark}'")
        self.advance()

    def fail_expecting(self, expected: str) -> NoReturn:
        """Say what should have come."""
        found = "the end of the file" if self.kind == END_OF_FILE else shortened(self.value)
        self.fail(f"expected {expected}, found {found}")

    def fail(self, problem: str, start: int | None = None) -> NoReturn:
        """Raise a FileError that names the place: the present piece unless told otherwise."""
        where = place(self.text, self.start if start is None else start)
        raise FileError(f"{self.source}, {where}: {problem}.")


def place(text: str, start: int) -> str:
    """Return line and column in words, both counted from 1."""
    line = text.count("\n", 0, start) + 1
    column = start - text.rfind("\n", 0, start)
    return f"line {line}, column {column}"
