"""Fictitious play, and best-response pruning for it."""
