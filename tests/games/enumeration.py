"""Walk whole games history by history, with nothing but the protocol."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from secateur.games import CHANCE, END, Game


@dataclass
class Tree:
    decisions: int = 0
    chances: int = 0
    ends: int = 0
    infosets: list[dict] = field(default_factory=lambda: [{}, {}])
    """For each player: the actions at each information set."""
    pasts: list[dict] = field(default_factory=lambda: [defaultdict(set), defaultdict(set)])
    """For each player and information set: what that player had known and done before."""
    outcomes: Counter = field(default_factory=Counter)
    """Chance probability of all ends with the same payoff."""
    uniform_value: float = 0.0

    @property
    def total(self) -> int:
        return self.decisions + self.chances + self.ends

    @property
    def counts(self) -> tuple[int, int, int, int]:
        return self.decisions, self.ends, self.chances, self.total

    @property
    def infoset_count(self) -> int:
        return len(self.infosets[0]) + len(self.infosets[1])


def enumerate_game(game, recall=True) -> Tree:
    """Count histories and check what the protocol promises at each."""
    tree = Tree()
    stack = [(game.start(), 1.0, 1.0, ((), ()))]
    while stack:
        state, chance, uniform, pasts = stack.pop()
        player = game.turn(state)
        if player == END:
            first, second = game.payoffs(state)
            assert first + second == 0
            tree.ends += 1
            tree.outcomes[round(first, 9)] += chance
            tree.uniform_value += chance * uniform * first
        elif player == CHANCE:
            tree.chances += 1
            outcomes = list(game.chance(state))
            assert abs(sum(p for _, p in outcomes) - 1) < 1e-9
            assert all(p > 0 for _, p in outcomes)
            for outcome, p in outcomes:
                stack.append((game.after(state, outcome), chance * p, uniform, pasts))
        else:
            tree.decisions += 1
            actions = list(game.actions(state))
            information = game.information(state)
            assert actions
            assert len(set(map(str, actions))) == len(actions)
            assert tree.infosets[player].setdefault(information, actions) == actions
            tree.pasts[player][information].add(pasts[player])
            for action in actions:
                own = (*pasts[player], (information, action))
                then = (own, pasts[1]) if player == 0 else (pasts[0], own)
                stack.append((game.after(state, action), chance, uniform / len(actions), then))
    if recall:
        assert all(len(past) == 1 for pasts in tree.pasts for past in pasts.values())
    labels = [str(information) for pasts in tree.infosets for information in pasts]
    assert len(set(labels)) == len(labels)
    return tree


class OpenSpielGame(Game):
    """A game of OpenSpiel in the protocol's terms."""

    def __init__(self, game):
        self.game = game

    def start(self):
        return self.game.new_initial_state()

    def turn(self, state):
        if state.is_terminal():
            return END
        return CHANCE if state.is_chance_node() else state.current_player()

    def chance(self, state):
        return state.chance_outcomes()

    def actions(self, state):
        return state.legal_actions()

    def after(self, state, action):
        return state.child(action)

    def information(self, state):
        return state.information_state_string()

    def payoffs(self, state):
        return tuple(state.returns())
