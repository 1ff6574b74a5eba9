"""Best-response pruning in rounds: between two searches, a smaller game in sequence form."""
