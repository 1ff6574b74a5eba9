"""``secateur export``: games and strategies in the formats of other programs."""

from __future__ import annotations

import argparse
from typing import Any

from secateur.cli.exits import OK
from secateur.cli.export_options import with_columns
from secateur.cli.kernels import prepare_kernels
from secateur.cli.loading import compile_game, load_rules
from secateur.cli.outfile import writable
from secateur.cli.progress import progress
from secateur.cli.report import console
from secateur.cli.strategy_files import strategy_in
from secateur.errors import ParameterError
from secateur.games.own import errors_in_words
from secateur.interop.formats import FORMATS, Content, Format
from secateur.metrics import action_values


def run(arguments: argparse.Namespace) -> int:
    """Write a game or a strategy."""
    form = FORMATS[arguments.to]
    _check(arguments, form)
    rules = load_rules(arguments)
    out = writable(arguments.file)
    content: dict[Content, Any] = {"rules": rules}
    columns: dict[str, Any] = {}
    with progress() as display:
        if form.is_of_strategy:
            game = compile_game(rules, display, values=arguments.values, cache=arguments.cache)
            display.stage(f"reading {arguments.strategy}")
            strategy = strategy_in(arguments.strategy, game, rules, arguments.game)
            content["strategy"] = strategy
            if arguments.values:
                prepare_kernels(display.note, game=game, show=display.stage, values=True)
                columns["columns"] = action_values(game, strategy)._asdict()
        display.stage(f"writing {arguments.file}")
        with errors_in_words(rules.name, type(rules)):
            form.write(out, content, **columns)
    what = arguments.strategy if form.is_of_strategy else str(rules)
    console().print(f"{what} is now in {arguments.file}")
    return OK


def _check(arguments: argparse.Namespace, form: Format) -> None:
    """Refuse options that the format has no use for."""
    if form.is_of_strategy and arguments.strategy is None:
        raise ParameterError(f"--to {form.name} writes a strategy; name one with --strategy")
    if not form.is_of_strategy and arguments.strategy is not None:
        others = " or ".join(each.name for each in FORMATS.values() if each.is_of_strategy)
        raise ParameterError(
            f"--to {form.name} writes the rules of a game; leave --strategy out, or choose "
            f"--to {others}"
        )
    if arguments.values and not form.takes_columns:
        known = " or ".join(with_columns())
        raise ParameterError(f"--values goes with '--to {known}' only; leave it out")
