"""Runs that are kept in directories: configuration, metrics, checkpoints, and the strategy."""

EVERY = 60.0
"""Seconds between two checkpoints if nobody says otherwise."""
