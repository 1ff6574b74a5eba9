"""Lets ``python -m secateur`` do what ``secateur`` does."""

from secateur.cli.entry import run

if __name__ == "__main__":
    run()
