"""Games by name: what exists, and how to get it with parameters from Python or a command line."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from typing import Any, Literal, get_args, get_origin, get_type_hints

from secateur.errors import ParameterError
from secateur.games.battleship import Battleship
from secateur.games.gambit.game import read_efg
from secateur.games.goofspiel import Goofspiel
from secateur.games.kuhn import Kuhn
from secateur.games.leduc import Leduc
from secateur.games.liars_dice import LiarsDice
from secateur.games.matrix import MatrixGame
from secateur.games.open_spiel import OpenSpielGame
from secateur.games.random_game import RandomGame
from secateur.games.rules import Game


@dataclass(frozen=True)
class Parameter:
    """One parameter of a game."""

    name: str
    type: str
    default: Any
    description: str


@dataclass(frozen=True)
class Entry:
    """One game that :func:`load` knows."""

    name: str
    description: str
    size: str
    """Number of histories and information sets with the default parameters."""

    rules: type[Game]
    presets: Mapping[str, Any] = field(default_factory=dict)
    """Parameters that this name sets; the caller may still override them."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """All parameters, described by the docstring of the rules."""
        types = _parameter_types(self.rules)
        descriptions = _parameter_descriptions(self.rules)
        # Every class of rules here is a dataclass; `type[Game]` cannot say so.
        defaults = {each.name: each.default for each in fields(self.rules)}  # type: ignore[arg-type]
        return tuple(
            Parameter(
                name,
                _type_name(kind),
                self.presets.get(name, defaults[name]),
                descriptions.get(name, ""),
            )
            for name, kind in types.items()
        )


_ENTRIES = (
    Entry("kuhn", "Kuhn poker", "55 histories, 12 information sets", Kuhn),
    Entry(
        "leduc",
        "Leduc poker, bets 2 and 4",
        "1,936 histories, 288 information sets",
        Leduc,
    ),
    Entry(
        "leduc5",
        "Leduc poker with five bet sizes, 0.5 to 8 and 1 to 16",
        "269,560 histories, 34,224 information sets",
        Leduc,
        {"bet_sizes": ((0.5, 1.0, 2.0, 4.0, 8.0), (1.0, 2.0, 4.0, 8.0, 16.0))},
    ),
    Entry(
        "leduc-dt",
        "Leduc poker of the dynamic thresholding paper, bets 1 and 2",
        "1,936 histories, 288 information sets",
        Leduc,
        {"bet_sizes": ((1.0,), (2.0,))},
    ),
    Entry(
        "leduc5-dt",
        "Leduc poker of the dynamic thresholding paper with five bet sizes, 1 to 16 and 2 to 32",
        "269,560 histories, 34,224 information sets",
        Leduc,
        {"bet_sizes": ((1.0, 2.0, 4.0, 8.0, 16.0), (2.0, 4.0, 8.0, 16.0, 32.0))},
    ),
    Entry(
        "liars_dice",
        "Liar's dice, highest face wild",
        "294,877 histories, 24,576 information sets",
        LiarsDice,
    ),
    Entry(
        "goofspiel",
        "Goofspiel, a game of bidding for prizes",
        "1,077 histories, 322 information sets",
        Goofspiel,
    ),
    Entry(
        "battleship",
        "Battleship on a small board",
        "10,069 histories, 3,286 information sets",
        Battleship,
    ),
    Entry(
        "matrix",
        "One-shot game given by its payoffs; rock, paper, scissors",
        "13 histories, 2 information sets",
        MatrixGame,
    ),
    Entry(
        "random",
        "Random game, chosen by its seed",
        "121 histories, 37 information sets",
        RandomGame,
    ),
    Entry(
        "openspiel",
        "Any two-player zero-sum game of OpenSpiel, also written openspiel:GAME",
        "58 histories, 12 information sets",
        OpenSpielGame,
    ),
)
_SHORTHAND = "openspiel:"


def available() -> list[Entry]:
    """Return the games that :func:`load` knows."""
    return list(_ENTRIES)


def find(name: str) -> Entry:
    """Return the game of that name, however its case and its hyphens are written.

    ``openspiel:GAME`` is the game that OpenSpiel knows by the string behind the colon.
    """
    if name.lower().startswith(_SHORTHAND):
        return replace(
            find("openspiel"),
            name=name,
            size="told when it is solved",
            presets={"game": name[len(_SHORTHAND) :]},
        )
    spelled = name.lower().replace("-", "_")
    for entry in _ENTRIES:
        if entry.name.replace("-", "_") == spelled:
            return entry
    raise ParameterError(
        f"unknown game {name!r}; {_choices(name, (entry.name for entry in _ENTRIES))}"
    )


def is_file(name: str) -> bool:
    """Tell whether a name of a game is the path of a file that describes it."""
    return name.lower().endswith(".efg")


def full_name(name: str) -> str:
    """Return the name of a game as it is listed, or the path of its file."""
    return name if is_file(name) else find(name).name


def load(name: str, /, **parameters: Any) -> Game:
    """Return the game of that name.

    Parameters
    ----------
    name : str
        One of the names in :func:`available`, the path of a Gambit file, ``.../game.efg``, or
        ``openspiel:`` and a game of OpenSpiel with its parameters, such as
        ``openspiel:liars_dice(dice_sides=4)``.
    **parameters : Any
        Parameters of the game, as Python objects or as strings: ``ranks=5`` or ``ranks="5"``,
        ``bet_sizes=((1, 2), (2, 4))`` or ``bet_sizes="1,2/2,4"``.
    """
    if is_file(name):
        if parameters:
            raise ParameterError(
                f"{name} has no parameters (asked: {', '.join(parameters)}); change the file"
            )
        return read_efg(name)
    entry = find(name)
    types = _parameter_types(entry.rules)
    values = dict(entry.presets)
    for key, value in parameters.items():
        if key not in types or (key in entry.presets and name.lower().startswith(_SHORTHAND)):
            raise ParameterError(
                f"{name} has no parameter {key!r} (asked: {key}={value}); {_choices(key, types)}"
            )
        try:
            values[key] = convert(value, types[key])
        except ValueError as error:
            raise ParameterError(f"{name}: {key}={value!r} does not fit; {error}") from None
    return entry.rules(**values)


def convert(value: Any, kind: Any) -> Any:
    """Return a value, which may be a string from a command line, as the annotated type.

    Tuples are written ``1,2``, and tuples of tuples ``1,2/3,4``. A ValueError says what to give.
    """
    if get_origin(kind) is Literal:
        if value in get_args(kind):
            return value
        raise ValueError(f"choose {' or '.join(map(str, get_args(kind)))}")
    if get_origin(kind) is tuple:
        inner = get_args(kind)[0]
        if isinstance(value, str):
            value = value.split("/" if get_origin(inner) is tuple else ",") if value else []
        if not isinstance(value, Iterable):
            raise ValueError(f"give {_type_name(kind)}")
        return tuple(convert(part, inner) for part in value)
    if kind is bool:
        words = {"true": True, "false": False}
        if str(value).lower() in words:
            return words[str(value).lower()]
    elif not isinstance(value, bool):
        # int(2.5) is 2: accept only what stays the same.
        with suppress(TypeError, ValueError, OverflowError):
            if isinstance(value, str) or kind(value) == value:
                return kind(value)
    raise ValueError(f"give {_type_name(kind)}")


def _parameter_types(rules: type[Game]) -> dict[str, Any]:
    hints = get_type_hints(rules)
    return {each.name: hints[each.name] for each in fields(rules)}  # type: ignore[arg-type]


def _parameter_descriptions(rules: type[Game]) -> dict[str, str]:
    """Read the descriptions from the Parameters section of a docstring in numpy's convention."""
    section = (inspect.getdoc(rules) or "").partition("Parameters\n----------\n")[2]
    found = re.findall(r"^(\w+) : .*\n((?:    .*(?:\n|$))+)", section, re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in found}


def _type_name(kind: Any) -> str:
    """Return a type in words, with the way to write it on a command line."""
    if get_origin(kind) is Literal:
        return " or ".join(map(str, get_args(kind)))
    if get_origin(kind) is tuple:
        inner = get_args(kind)[0]
        if get_origin(inner) is tuple:
            return "rows of numbers such as 1,2/3,4"
        return "numbers such as 1,2"
    names = {int: "a whole number", float: "a number", bool: "true or false", str: "a word"}
    return names[kind]


def _choices(asked: str, known: Iterable[str]) -> str:
    """Return the closest known name, if one is close, and all of them."""
    names = list(known)
    close = get_close_matches(asked, names, n=1)
    hint = f"did you mean {close[0]!r}? " if close else ""
    return f"{hint}choose from {', '.join(names)}"
