"""Draw how the exploitability of each algorithm falls, by iterations and by time.

python -m benchmarks.convergence --out docs/convergence.png
"""

from __future__ import annotations

import argparse

import matplotlib as mpl

mpl.use("Agg")

from matplotlib import pyplot as plt

import secateur

ALGORITHMS = {
    "CFR": secateur.recipes.cfr,
    "linear CFR": secateur.recipes.linear_cfr,
    "CFR+": secateur.recipes.cfr_plus,
    "DCFR": secateur.recipes.dcfr,
    "PCFR+": secateur.recipes.pcfr_plus,
}


def main() -> None:
    """Solve each game by each algorithm and draw the histories."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default="docs/convergence.png", help="the picture to write")
    parser.add_argument("--games", nargs="+", default=["leduc", "leduc5"])
    parser.add_argument("--iterations", type=int, default=10_000)
    options = parser.parse_args()
    figure, rows = plt.subplots(
        len(options.games), 2, figsize=(10, 3.6 * len(options.games)), squeeze=False, sharey="row"
    )
    for name, axes in zip(options.games, rows, strict=True):
        game = secateur.compile(secateur.load(name))
        for label, recipe in ALGORITHMS.items():
            # so that no curve shows the time of Numba's compiler
            secateur.solve(game, recipe(), secateur.until.iterations(2))
            run = secateur.solve(game, recipe(), secateur.until.iterations(options.iterations))
            for axis, x in zip(axes, ("iteration", "seconds"), strict=True):
                axis.loglog(
                    [getattr(snapshot, x) for snapshot in run.history],
                    [snapshot.exploitability for snapshot in run.history],
                    label=label,
                    linewidth=1.2,
                )
        sizes = game.size
        axes[0].set_title(f"{name}: {sizes.information_sets:,} information sets", loc="left")
        axes[0].set_xlabel("iterations")
        axes[1].set_xlabel("seconds, one core")
        axes[0].set_ylabel("exploitability")
        for axis in axes:
            axis.grid(visible=True, which="major", linewidth=0.4, alpha=0.5)
    rows[0][0].legend(frameon=False)
    figure.tight_layout()
    figure.savefig(options.out, dpi=110)


if __name__ == "__main__":
    main()
