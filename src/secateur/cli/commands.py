"""The commands there are, in one table, as help lists them.

Nothing heavy is imported here: help and errors must come at once.
"""

from __future__ import annotations

from secateur.cli.compare_options import COMPARE
from secateur.cli.evaluate_options import EVALUATE
from secateur.cli.explore_options import EXPLORE
from secateur.cli.export_options import EXPORT
from secateur.cli.games_options import GAMES
from secateur.cli.play_options import PLAY
from secateur.cli.reproduce_options import REPRODUCE
from secateur.cli.run_commands import PLOT, RESUME, STATUS
from secateur.cli.show_options import SHOW
from secateur.cli.solve_options import SOLVE

COMMANDS = {
    each.name: each
    for each in (
        *(GAMES, SOLVE, COMPARE, RESUME, STATUS, PLOT),
        *(EXPLORE, EVALUATE, SHOW, PLAY, EXPORT, REPRODUCE),
    )
}
"""By the words that are typed."""
