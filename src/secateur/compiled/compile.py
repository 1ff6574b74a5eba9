"""From rules to arrays."""

from __future__ import annotations

from secateur.compiled.from_histories import compile_histories
from secateur.compiled.from_public import compile_public
from secateur.compiled.game import CompiledGame
from secateur.games.public import PublicGame
from secateur.games.rules import Game


def compile(  # noqa: A001 - secateur.compile(game) reads best
    game: Game, *, pruning: bool = False, thresholds: bool = False
) -> CompiledGame:
    """Turn the rules of a game into flat arrays, and check them.

    Games that name their public states (:class:`~secateur.games.public.PublicGame`) are compiled
    without enumerating their histories; for others, every history is visited once.

    Parameters
    ----------
    game : Game
        The rules.
    pruning : bool
        Also compile what :class:`~secateur.pruning.BestResponsePruning` needs; that takes more
        time and about 30 bytes per sequence.
    thresholds : bool
        Also compile what thresholds on the probability of branches need (see
        :class:`~secateur.solvers.egt.EGT`); that takes about 36 bytes per sequence.

    Raises
    ------
    GameError
        If chance does not sum to one, payoffs are not finite or not zero-sum, a player forgets
        what it knew or did, an information set offers different actions, or the game never ends.
    """
    if isinstance(game, PublicGame):
        return compile_public(game, pruning=pruning, thresholds=thresholds)
    return compile_histories(game, pruning=pruning, thresholds=thresholds)
