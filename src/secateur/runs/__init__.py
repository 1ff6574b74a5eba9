"""Runs that are kept in directories: configuration, metrics, checkpoints, and the strategy."""
