"""Says what to install, if it is not there."""

from __future__ import annotations

from importlib.util import find_spec

from secateur.errors import SecateurError
from secateur.extras import how_to_install


def check_extra() -> None:
    """Raise SecateurError unless what serves the page is installed."""
    missing = [name for name in ("starlette", "uvicorn") if find_spec(name) is None]
    if missing:
        raise SecateurError(
            f"explore needs {' and '.join(missing)}, which is not installed; run: "
            f"{how_to_install('explore')}"
        )
