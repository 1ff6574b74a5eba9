"""Solve Leduc poker and look at the strategy."""

import secateur

game = secateur.compile(secateur.load("leduc"))
print(f"{game.size.histories} histories, {game.size.information_sets} information sets")

result = secateur.solve(game, "cfr+", until=1e-3)
print(f"{result.iterations} iterations: {result.ending.condition}")
print(f"player 0 wins {result.value:+.4f} a hand")

print("\nFacing a bet after a check:")
for card in "JQK":
    chances = result.strategy[f"{card} check bet2"]
    print(f"  {card}: " + ", ".join(f"{action} {share:.0%}" for action, share in chances.items()))

# What could the strongest opponent win? Together at most twice the exploitability.
for player in range(2):
    best = secateur.best_response_value(game, result.strategy, player)
    print(f"the most that player {player} can win against it: {best:+.4f}")
