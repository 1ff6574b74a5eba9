"""Strategies in the formats of other programs."""
