"""What pruning saves: the same algorithm, the same target, four ways to skip work."""

import secateur

TARGET = secateur.until.exploitability(3e-3) | secateur.until.iterations(20_000)
WAYS = {
    "none": secateur.NoPruning(),
    "partial": secateur.PartialPruning(),  # the default: the same bits as none
    "regret-based": secateur.RegretBasedPruning(),
    "best-response": secateur.BestResponsePruning(),
}

print(f"{'pruning':>14}{'iterations':>12}{'nodes touched':>16}{'exploitability':>16}")
for name, pruning in WAYS.items():
    solver = secateur.recipes.cfr(pruning=pruning, count_nodes=True)
    result = secateur.solve("leduc", solver, TARGET)
    nodes = f"{result.nodes_touched:,}"
    print(f"{name:>14}{result.iterations:>12,}{nodes:>16}{result.exploitability:>16.5f}")
