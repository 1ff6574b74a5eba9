"""Strategies on disk: readable (JSON) or compact (arrays), both with checksums."""
