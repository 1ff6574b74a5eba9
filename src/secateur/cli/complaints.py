"""How errors are told."""

from __future__ import annotations

import sys

from secateur.cli.wording import as_typed


def complain(message: str) -> None:
    """Print a message as one line; it may quote a foreign file, so escape control characters."""
    line = " ".join(as_typed(message).split())
    shown = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in line)
    print(f"secateur: {shown}", file=sys.stderr)
