"""Algorithms: each a frozen description that starts a state, which can be stepped by hand."""
