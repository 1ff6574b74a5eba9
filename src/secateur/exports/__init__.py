"""Strategies in the forms of other programs."""
