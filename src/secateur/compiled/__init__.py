"""Flat arrays made from rules: compiler, checks, files."""
