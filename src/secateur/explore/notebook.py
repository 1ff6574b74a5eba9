"""What Python programs and notebooks call to look at results."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from secateur import checks
from secateur.errors import ParameterError
from secateur.explore.extra import check_extra
from secateur.explore.sources import ResultSource, RunSource, Source
from secateur.results import Result
from secateur.runs.reading import Run, open_run

if TYPE_CHECKING:
    from secateur.explore.serving import Explorer


def open_explorer(*shown: Result | Run | str | Path, browser: bool | None = None) -> Explorer:
    """Show results and runs on a local page, while this program goes on.

    In a notebook the page shows itself below the cell; elsewhere the browser opens. It needs the
    extra ``explore``.

    Parameters
    ----------
    *shown : Result, Run, str or Path
        What :func:`secateur.solve` and :func:`secateur.open_run` have returned, or directories of
        runs.
    browser : bool
        Whether to open the browser; if not given, unless this is a notebook.

    Returns
    -------
    Explorer
        Its ``url`` is the address, ``close()`` ends it.
    """
    if not shown:
        raise ParameterError("open_explorer(): there is nothing to show; pass a result or a run.")
    check_extra()
    from secateur.explore.serving import Explorer  # noqa: PLC0415 - it needs the extra

    sources = [_source(number, each) for number, each in enumerate(shown, start=1)]
    notebook = _in_notebook()
    explorer = Explorer(sources, framed=notebook).start()
    if not notebook if browser is None else browser:
        explorer.open()
    return explorer


def save(*shown: Result | Run | str | Path, path: str | Path) -> None:
    """Write a page with everything in it, of small games; see :func:`open_explorer`."""
    from secateur.explore.saved_page import save_page  # noqa: PLC0415

    path = checks.path(f"explore(save={checks.shown(path)})", path)
    save_page([_source(number, each) for number, each in enumerate(shown, start=1)], path)


def _source(number: int, shown: object) -> Source:
    if isinstance(shown, Result):
        return ResultSource(shown, f"result {number}")
    if isinstance(shown, Run):
        return RunSource(shown.path, shown.rules)
    run = open_run(checks.path(f"open_explorer({checks.shown(shown)})", shown))
    return RunSource(run.path, run.rules)


def _in_notebook() -> bool:
    return "ipykernel" in sys.modules
