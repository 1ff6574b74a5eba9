"""``secateur explore``: shows runs and strategies in the browser."""

from __future__ import annotations

import argparse
import os
import signal
import warnings
import webbrowser
from contextlib import suppress
from pathlib import Path

import numpy as np

from secateur.cli.exits import OK
from secateur.cli.outfile import writable
from secateur.cli.report import console
from secateur.cli.strategy_files import rules_in, strategy_in
from secateur.cli.values import by_name
from secateur.compiled.compile import compile as compile_game
from secateur.errors import FileError
from secateur.explore.extra import check_extra
from secateur.explore.sources import FileSource, RunSource, Source
from secateur.games.own import errors_in_words
from secateur.games.registry import load
from secateur.runs.reading import open_run
from secateur.strategy import Strategy

_POLITE = 10
"""How much the server stands back behind runs on the same machine."""


def run(arguments: argparse.Namespace) -> int:
    """Serve a page until Ctrl-C, or write one."""
    save = None if arguments.save is None else writable(arguments.save)
    if save is None:
        check_extra()
    sources = [_source(each, arguments) for each in dict.fromkeys(arguments.shown)]
    if save is not None:
        from secateur.explore.saved_page import save_page  # noqa: PLC0415

        save_page(sources, save)
        console().print(f"Written: {save}")
        return OK
    _serve(sources, arguments)
    return OK


def _serve(sources: list[Source], arguments: argparse.Namespace) -> None:
    from secateur.explore.serving import Explorer  # noqa: PLC0415

    explorer = Explorer(sources, arguments.port)
    for source in sources[:2]:
        source.opened()  # it will soon be asked for
    with suppress(OSError, AttributeError):
        os.nice(_POLITE)

    def begun() -> None:
        print(f"Look at {explorer.url}\nCtrl-C ends it.", flush=True)
        if not arguments.no_browser:
            webbrowser.open(explorer.url)

    # Ctrl-C is how it ends: the server closes, and passes it on to whoever was there before
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        explorer.run(begun)


def _source(name: str, arguments: argparse.Namespace) -> Source:
    path = Path(name)
    if path.is_dir():
        open_run(path)  # what is no run is told at once
        return RunSource(path)
    if not path.exists():
        raise FileError(f"cannot read {name}: there is no such run or file; check the path.")
    if arguments.game is None:
        rules = rules_in(name)
    else:
        rules = load(arguments.game, **by_name(arguments.settings))

    def read() -> Strategy:
        with errors_in_words(rules.name, type(rules)), warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            game = compile_game(rules, pruning=True, cache=arguments.cache)
        found = strategy_in(name, game, rules, arguments.game or rules.name)
        # those that are mapped from a file are read only, and kernels would be compiled once more
        return Strategy.trusted(game, np.array(found.own_probabilities), found.remarks)

    return FileSource(path, read)
