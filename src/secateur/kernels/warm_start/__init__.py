"""What a run begins with that is given a strategy."""
