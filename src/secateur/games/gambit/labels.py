"""Names of actions and information sets that serve Gambit as well as secateur."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

_LONGEST_SHOWN = 40


def tidy(label: str) -> str:
    """Return a label on one line, with single blanks and nothing that cannot be printed."""
    line = " ".join(label.split())
    return line if line.isprintable() else "".join(c if c.isprintable() else "?" for c in line)


def distinct(labels: Iterable[str]) -> list[str]:
    """Return labels that are all different and not empty.

    As in Gambit, those that are empty or occur more than once get ``_1``, ``_2``... appended.
    """
    labels = list(labels)
    counts = Counter(labels)
    used = set(labels)
    numbers: Counter[str] = Counter()
    result = []
    for label in labels:
        name = label
        if counts[label] > 1 or not label:
            while name in used:
                numbers[label] += 1
                name = f"{label}_{numbers[label]}"
            used.add(name)
        result.append(name)
    return result


def shortened(text: str) -> str:
    """Return a piece of a file between quotes, for messages."""
    if len(text) > _LONGEST_SHOWN:
        text = text[:_LONGEST_SHOWN] + "..."
    return f"'{text}'"
