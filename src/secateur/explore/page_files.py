"""The files of the page, which lie in ``static``."""

MODULES = (
    *("dom.js", "format.js", "data.js", "labels.js", "cells.js", "table.js", "actions.js"),
    *("runs.js", "strategy.js", "pruning.js", "compare.js", "main.js"),
)
"""In an order in which each needs only what comes before."""

FILES = {
    "index.html": "text/html; charset=utf-8",
    **dict.fromkeys(("style.css", "vendor/uPlot.min.css"), "text/css; charset=utf-8"),
    **dict.fromkeys((*MODULES, "vendor/uPlot.iife.min.js"), "text/javascript; charset=utf-8"),
    "icon.svg": "image/svg+xml",
}
"""What is served, and what it is; there is nothing else."""
