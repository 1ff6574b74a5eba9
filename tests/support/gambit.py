"""Gambit itself, and the files that tests read."""

from __future__ import annotations

from pathlib import Path

import pygambit
from pygambit.cli.common import read_behavior_profiles_csv, render_profile_csv

FILES = {path.stem: path for path in (Path(__file__).parents[1] / "data/gambit").glob("*.efg")}
CATALOG = Path(pygambit.__file__).parent / "catalog_data"

HEADER = 'EFG 2 R "game" { "A" "B" }\n'


def gambit_reads(path: Path) -> pygambit.Game:
    """Return the game as Gambit reads it."""
    return pygambit.read_efg(path)


def gambit_profile(game: pygambit.Game, path: Path) -> pygambit.MixedBehaviorProfile:
    """Return the only behavior profile in a file, read by Gambit's own programs."""
    (profile,) = read_behavior_profiles_csv(str(path), game)
    return profile


def gambit_equilibrium(
    game: pygambit.Game, *, rational: bool = True
) -> pygambit.MixedBehaviorProfile:
    """Return the equilibrium that Gambit's linear program finds; rational numbers take long."""
    return pygambit.nash.lp_solve(game, rational=rational).equilibrium


def write_as_gambit_does(profile: pygambit.MixedBehaviorProfile, path: Path) -> None:
    """Write a profile as Gambit's programs print it."""
    path.write_text(render_profile_csv(profile, "NE", 6) + "\n")


def first_payoff(profile: pygambit.MixedBehaviorProfile) -> float:
    """Return what the first player wins."""
    return float(profile.payoffs[next(iter(profile.game.players))])
