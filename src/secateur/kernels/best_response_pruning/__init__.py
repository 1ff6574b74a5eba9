"""Best-response pruning: a store of what is alive, and a sweep over it."""
