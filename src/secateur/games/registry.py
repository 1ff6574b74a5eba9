"""Games by name: what exists, and how to get it with parameters from Python or a command line."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from secateur import checks
from secateur.errors import GameError, ParameterError, SecateurError
from secateur.games import own
from secateur.games.battleship import Battleship
from secateur.games.gambit.game import read_efg
from secateur.games.goofspiel import Goofspiel
from secateur.games.holdem.game import Holdem
from secateur.games.kuhn import Kuhn
from secateur.games.leduc import Leduc
from secateur.games.liars_dice import LiarsDice
from secateur.games.matrix import MatrixGame
from secateur.games.open_spiel import OpenSpielGame
from secateur.games.parameters import (
    Parameter,
    convert,
    parameter_types,
    parameters_of,
    takes_any,
)
from secateur.games.random_game import RandomGame
from secateur.games.recall import with_perfect_recall
from secateur.games.rules import Game
from secateur.games.settings_files import SUFFIX, read_settings
from secateur.names import choices, spelled


@dataclass(frozen=True)
class Entry:
    """One game that :func:`load` knows."""

    name: str
    description: str
    size: str
    """Number of histories and information sets with the default parameters."""

    rules: own.Rules
    """The class, or a function, that makes the game of its parameters."""

    presets: Mapping[str, Any] = field(default_factory=dict)
    """Parameters that this name sets; the caller may still override them."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """All parameters, described by the docstring of the rules."""
        return tuple(
            replace(each, default=self.presets.get(name, each.default))
            for name, each in parameters_of(self.rules).items()
        )


GAMES = {
    each.name: each
    for each in (
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
            "Leduc poker of the dynamic thresholding paper with five bet sizes, 1 to 16 and 2 to "
            "32",
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
            "holdem",
            "No-limit hold'em from a flop, turn or river on, hand by hand",
            "12,223 histories, 208 information sets",
            Holdem,
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
}
"""The built-in games, by name."""

_SHORTHAND = "openspiel:"
_TOLD_LATER = "told when it is solved"

PLUGINS = "secateur.games"
"""The entry points by which installed packages offer games: a name, and its class or function."""


def available() -> list[Entry]:
    """Return the games that :func:`load` knows by a name: its own, and those of other packages."""
    return [*GAMES.values(), *(_offered_or_broken(each) for each in _plugins())]


def find(name: str) -> Entry:
    """Return the game of that name, however its case and its hyphens are written.

    ``openspiel:GAME`` is the game that OpenSpiel knows by the string behind the colon, and
    ``game.py:Coin`` or ``package.module:Coin`` one that somebody has written.
    """
    if name.lower().startswith(_SHORTHAND):
        presets = {"game": name[len(_SHORTHAND) :]}
        return replace(find("openspiel"), name=name, size=_TOLD_LATER, presets=presets)
    if _is_own(name):
        return _own_entry(name, own.find_rules(name))
    wanted = spelled(name)
    for entry in GAMES.values():
        if spelled(entry.name) == wanted:
            return entry
    plugins = _plugins()
    for plugin in plugins:
        if spelled(plugin.name) == wanted:
            return _offered(plugin)
    known = [*GAMES, *(plugin.name for plugin in plugins)]
    raise ParameterError(
        f"unknown game {name!r}; {choices(name, known)}, or give a file: game.toml, game.efg, "
        "game.py:CLASS"
    )


def is_file(name: str) -> bool:
    """Tell whether a name of a game is the path of a file that describes it."""
    return name.lower().endswith((".efg", SUFFIX))


def full_name(name: str) -> str:
    """Return the name of a game as it is listed, or the path of its file."""
    return name if is_file(name) else find(name).name


def absolute(name: str) -> str:
    """Return a name of a game that means the same in every directory, as far as one can tell."""
    if is_file(name):
        return str(Path(name).resolve())
    return own.absolute(name) if _is_own(name) else name


def short_name(name: str) -> str:
    """Return a name of a game to read: of a file, without its directory."""
    return Path(name).name if is_file(name) or _is_own(name) else name


def source_of(name: str) -> own.Source | None:
    """Return the file that describes a game, if there is one."""
    if is_file(name):
        return own.Source.of(Path(name).resolve())
    return own.source_of(name) if _is_own(name) else None


def load(name: str, /, *, perfect_recall: bool | str = False, **parameters: Any) -> Game:
    """Return the game of that name.

    Parameters
    ----------
    name : str
        One of the names in :func:`available`; the path of a file with a name and parameters,
        ``.../spot.toml``; that of a Gambit file, ``.../game.efg``; a class
        in a file or module, ``.../game.py:Coin`` or ``package.module:Coin``; or ``openspiel:`` and
        a game of OpenSpiel with its parameters, such as ``openspiel:liars_dice(dice_sides=4)``.
    perfect_recall : bool
        Make players remember who forget in the rules: their information sets are split by what
        they have known and done before.
    **parameters : Any
        Parameters of the game, as Python objects or as strings: ``ranks=5`` or ``ranks="5"``,
        ``bet_sizes=((1, 2), (2, 4))`` or ``bet_sizes="1,2/2,4"``.
    """
    checks.instance_of(str, "give the name of a game, such as 'leduc'")(
        f"load({checks.shown(name)})", name
    )
    try:
        remembering = convert(perfect_recall, bool)
    except ValueError as error:
        raise ParameterError(
            f"{name}: perfect_recall={perfect_recall!r} does not fit; {error}"
        ) from None
    if remembering:
        return with_perfect_recall(_loaded(name, parameters, remembering=True))
    return _loaded(name, parameters, remembering=False)


def _loaded(name: str, parameters: Mapping[str, Any], *, remembering: bool) -> Game:
    if name.lower().endswith(SUFFIX):
        game, settings = read_settings(name)
        return _made(name, find(game), {**settings, **parameters})
    if is_file(name):
        if parameters:
            raise ParameterError(
                f"{name} has no parameters (asked: {', '.join(parameters)}); change the file"
            )
        return read_efg(name, perfect_recall=not remembering)
    return _made(name, find(name), parameters)


def _made(name: str, entry: Entry, parameters: Mapping[str, Any]) -> Game:
    """Return a game with parameters, in errors called by the name that was asked for."""
    types = parameter_types(entry.rules)
    anything = takes_any(entry.rules)
    values = dict(entry.presets)
    for key, value in parameters.items():
        known = key in types or anything
        if not known or (key in entry.presets and name.lower().startswith(_SHORTHAND)):
            raise ParameterError(
                f"{name} has no parameter {key!r} (asked: {key}={value}); {choices(key, types)}"
            )
        try:
            values[key] = convert(value, types.get(key, Any))
        except ValueError as error:
            raise ParameterError(
                f"{name}: {key}={checks.shown(value)} does not fit; {error}"
            ) from None
    for each in entry.parameters:
        if each.required and each.name not in values:
            raise ParameterError(
                f"{name} needs the parameter {each.name!r}, {each.type}; set {each.name}=VALUE"
            )
    return own.made(name, entry.rules, values)


def _is_own(name: str) -> bool:
    return own.is_own(name) and not name.lower().startswith(_SHORTHAND)


def _own_entry(name: str, rules: own.Rules) -> Entry:
    own_words = (rules.__doc__ or "").strip() != (Game.__doc__ or "").strip()
    words = (inspect.getdoc(rules) or "").strip().splitlines() if own_words else []
    return Entry(name, words[0] if words else "", _TOLD_LATER, rules)


def _plugins() -> list[EntryPoint]:
    return sorted(entry_points(group=PLUGINS), key=lambda each: each.name)


def _offered(plugin: EntryPoint) -> Entry:
    try:
        rules = plugin.load()
    except Exception as error:
        raise GameError(
            f"{plugin.name} comes from the package {_package(plugin)}, which fails: "
            f"{type(error).__name__}: {error}; repair or uninstall it"
        ) from error
    own.check_rules(plugin.name, rules)
    return _own_entry(plugin.name, rules)


def _offered_or_broken(plugin: EntryPoint) -> Entry:
    """Return a plugin; one that fails must not hide all other games."""
    try:
        return _offered(plugin)
    except SecateurError as error:
        reason = str(error)

    def broken() -> Game:
        raise GameError(reason)

    return Entry(plugin.name, reason, "", broken)


def _package(plugin: EntryPoint) -> str:
    return plugin.dist.name if plugin.dist is not None else plugin.module
