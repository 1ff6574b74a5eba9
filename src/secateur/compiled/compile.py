"""From rules to arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from secateur import checks
from secateur.compiled.cache import cache_folder, cached
from secateur.compiled.from_histories import compile_histories
from secateur.compiled.from_public import compile_public
from secateur.compiled.game import CompiledGame
from secateur.compiled.progress import Observer
from secateur.games.public import PublicGame
from secateur.games.rules import Game
from secateur.memory import return_free_memory

MEMORY = checks.optional(checks.whole("use a whole number of bytes, 1 or more", least=1))


def compile(  # noqa: A001 - secateur.compile(game) reads best
    game: Game,
    *,
    pruning: bool = False,
    thresholds: bool = False,
    observe: Observer | None = None,
    cache: bool | str | Path = False,
    memory_limit: int | None = None,
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
        time and about 10 bytes per sequence.
    thresholds : bool
        Also compile what thresholds on the probability of branches need (see
        :class:`~secateur.solvers.egt.EGT`); that takes about 14 bytes per sequence.
    observe : callable, optional
        Called about ten times in a second while the rules are read, and once when they have been,
        with a :class:`~secateur.compiled.progress.Reading`: ``histories`` read so far and an
        ``estimate`` of how many there are.
    cache : bool, str or Path
        Keep the compiled game in a file and read that the next time: in this folder, or with True
        in the user's cache (see :func:`~secateur.compiled.cache.cache_folder`). Other parameters,
        other rules (by their source) and another version of secateur or OpenSpiel are another file;
        what is damaged is compiled again.
    memory_limit : int
        Bytes that compiling may take: a game that takes more is refused as soon as that is sure.

    Raises
    ------
    GameError
        If chance does not sum to one, payoffs are not finite or not zero-sum, a player forgets
        what it knew or did, an information set offers different actions, states share parts that
        change, the rules raise an error, the game never ends, or it does not fit into memory.
    ParameterError
        If the game is to be cached but nobody can tell its rules from others, or if compiling takes
        more memory than the limit.
    """
    checks.instance_of(
        Game, "pass the rules of a game, such as secateur.load('leduc') or your own secateur.Game"
    )(f"compile({checks.shown(game)})", game)
    pruning = checks.flag(f"compile(pruning={checks.shown(pruning)})", pruning)
    thresholds = checks.flag(f"compile(thresholds={checks.shown(thresholds)})", thresholds)
    checks.optional(checks.instance_of(Callable, "pass a function that takes a Reading"))(
        f"compile(observe={checks.shown(observe)})", observe
    )
    memory_limit = MEMORY(f"compile(memory_limit={checks.shown(memory_limit)})", memory_limit)

    def compiled() -> CompiledGame:
        front_end: Callable[..., CompiledGame] = (
            compile_public if isinstance(game, PublicGame) else compile_histories
        )
        found = front_end(
            game,
            pruning=pruning,
            thresholds=thresholds,
            observe=observe,
            memory_limit=memory_limit,
        )
        return_free_memory()
        return replace(found, players=game.players, pot=game.pot)

    if cache is False:
        return compiled()
    folder = cache_folder() if cache is True else checks.path(f"compile(cache={cache!r})", cache)
    options = {"pruning": pruning, "thresholds": thresholds}
    return cached(game, compiled, folder, **options, memory_limit=memory_limit)
