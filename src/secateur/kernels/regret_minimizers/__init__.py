"""Sweeps of the CFR family, Hedge included, and thresholds."""
