"""Rules of your own: a smuggler chooses a road, a guard watches one."""

import secateur


class Smuggling(secateur.Game):
    """The smuggler (player 0) sees the weather and takes a road; the guard sees nothing."""

    name = "smuggling"
    worth = {"pass": 3.0, "valley": 1.0}

    def start(self):
        return ()

    def turn(self, state):
        return (secateur.CHANCE, 0, 1, secateur.END)[len(state)]

    def chance(self, state):
        return [("clear", 0.6), ("snow", 0.4)]

    def actions(self, state):
        return ("pass", "valley")

    def after(self, state, action):
        return (*state, action)

    def information(self, state):
        return state[0] if len(state) == 1 else "guard"

    def payoffs(self, state):
        weather, road, watched = state
        gain = -2.0 if road == watched else self.worth[road]
        if weather == "snow" and road == "pass":
            gain -= 1.0
        return gain, -gain


result = secateur.solve(Smuggling(), secateur.Exact())
print(f"the smuggler wins {result.value:+.3f}")
for place in ("clear", "snow", "guard"):
    print(f"{place:>6}: {result.strategy[place]}")
