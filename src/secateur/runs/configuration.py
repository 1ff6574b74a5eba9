"""What a run was told to do: the file that a run directory begins with."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any, NamedTuple

from secateur.atomic import new_file
from secateur.errors import FileError, unreadable

_FORMAT = "secateur run"
_VERSION = 1


class Configuration(NamedTuple):
    """A game, an algorithm with its options, and limits, all as they were given."""

    game: str
    settings: dict[str, str]
    options: dict[str, Any]
    limits: dict[str, float]
    """These may change when a run goes on; all else stays."""

    @property
    def fingerprint(self) -> int:
        """A checksum of what stays."""
        return zlib.crc32(json.dumps(self[:3]).encode())

    def write(self, path: Path) -> None:
        """Write the file; it appears whole or not at all."""
        facts = {"format": _FORMAT, "version": _VERSION, **self._asdict()}
        with new_file(path) as file:
            file.write(json.dumps({**facts, "crc32": _checksum(facts)}, indent=1).encode() + b"\n")

    @staticmethod
    def read(path: Path) -> Configuration:
        """Read the file.

        Raises
        ------
        FileError
            If it is not there, or is not what was written.
        """
        try:
            facts = json.loads(path.read_bytes())
            checksum = facts.pop("crc32")
            if facts.get("format") != _FORMAT:
                raise ValueError("it has another format")
            if facts.get("version") != _VERSION:
                raise ValueError(f"version {facts.get('version')}, this program reads {_VERSION}")
            if checksum != _checksum(facts):
                raise ValueError("the checksum does not match")
            return Configuration(*(facts[name] for name in Configuration._fields))
        except OSError as error:
            raise unreadable(path, error) from error
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise FileError(
                f"{path} is damaged or was changed ({error}); "
                "start the run again in another directory."
            ) from error


def _checksum(facts: dict[str, Any]) -> str:
    return f"{zlib.crc32(json.dumps(facts).encode()):08x}"
