"""What may become of a file."""

from __future__ import annotations

import random
from pathlib import Path

DAMAGES = ("cut", "flip", "zeros", "turn", "append", "empty")


def damaged(content: bytes, how: str, chance: random.Random) -> bytes:
    """Return what is left of a file, at a random place or up to there."""
    place = chance.randrange(len(content))
    if how == "cut":
        return content[:place]
    if how == "flip":
        flipped = content[place] ^ (1 << chance.randrange(8))
        return content[:place] + bytes([flipped]) + content[place + 1 :]
    if how == "zeros":
        return content[:place] + bytes(len(content) - place)
    if how == "turn":
        return content[place:] + content[:place]
    return content + content[: place + 1] if how == "append" else b""


def harm(path: Path, seed: int) -> None:
    """Damage a file in some way."""
    chance = random.Random(seed)
    path.write_bytes(damaged(path.read_bytes(), chance.choice(DAMAGES), chance))
