"""Games and their parameters in TOML files: ``game = "holdem"``, and a line for each parameter."""

from __future__ import annotations

import tomllib
from typing import Any

from secateur.errors import FileError, ParameterError
from secateur.regular_files import read_regular

SUFFIX = ".toml"
_LARGEST = 1 << 20


def read_settings(path: str) -> tuple[str, dict[str, Any]]:
    """Return the game that a file names, and the parameters that it sets.

    Raises
    ------
    FileError
        If there is no such file, or it is not TOML; the message says in which line.
    ParameterError
        If it names no game.
    """
    content = read_regular(path, _LARGEST, "a file with settings of a game")
    try:
        settings = tomllib.loads(content.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileError(f"{path} is no TOML file: {' '.join(str(error).split())}") from None
    except RecursionError:
        raise FileError(f"{path} is no file of settings: too many brackets in brackets") from None
    name = settings.pop("game", None)
    if not isinstance(name, str) or name.lower().endswith(SUFFIX):
        raise ParameterError(f'{path} names no game; write a line such as game = "holdem"')
    return name, settings
