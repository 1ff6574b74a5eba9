"""What must be installed for parts that not everybody needs, and how."""

from __future__ import annotations

import shlex
import sys

DISTRIBUTION = "secateur-solver"
"""The name to install by: ``secateur`` is somebody else's on the package index."""


def how_to_install(extra: str) -> str:
    """Return the command that adds an extra to where secateur runs.

    From a clone and from the index alike: pip reads the extras of what is installed already, and
    this interpreter's pip does not need the environment to be activated.
    """
    return f"{shlex.quote(sys.executable)} -m pip install '{DISTRIBUTION}[{extra}]'"
