"""Interval regret-based pruning: bounds, returns, and the sweep between them."""
