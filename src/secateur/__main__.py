"""Lets ``python -m secateur`` do what ``secateur`` does."""

import sys

from secateur.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
