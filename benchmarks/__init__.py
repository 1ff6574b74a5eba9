"""Measurements of secateur against its peers and against itself; not part of the package."""
