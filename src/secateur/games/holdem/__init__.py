"""No-limit hold'em between two players, from a flop, turn or river on."""
