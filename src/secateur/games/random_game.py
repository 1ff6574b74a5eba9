"""Random games: every odd shape that the protocol allows, for tests."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import Any, Literal, NamedTuple, get_args

from secateur.errors import ParameterError
from secateur.games.rules import CHANCE, END, Game

Movers = Literal["both", "first", "second"]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
LARGEST = 1_000_000


class Record(NamedTuple):
    """What happened, and what each player knows of it."""

    path: str
    """All moves: letters of actions and outcomes."""

    seen: tuple[str, str]
    """For each player: own actions ``>a`` and observations, in order."""

    unseen: tuple[str, str]
    """For each player: events not observed yet, which may be revealed later."""

    public: str
    """What both players know that both know; complete only in structured games."""


@dataclass(frozen=True)
class RandomGame(Game):
    """A random game that is a pure function of its parameters.

    Every decision about the rules (who moves, how many actions, who sees what, where the game
    ends, payoffs) is drawn from a hash of the seed and of what the decision may depend on. The
    information of a player is the sequence of own actions and observations, which is perfect
    recall by construction.

    *Unstructured* games draw everything from the whole history. A move that a player does not
    observe leaves no trace at all, so information sets span histories of different depth, players
    move several times in a row, and hidden moves are revealed later or never. *Structured* games
    resemble poker: they begin with a deal to each player, actions are public, later chance
    outcomes are seen by one player or by both, and who moves, which actions exist and where the
    game ends depend on public events alone.

    An information set is labeled with the player and the record: ``>a`` own action, ``<a``
    action of the opponent, ``*a`` chance outcome, ``*`` a deal to the opponent, ``~`` in front of
    what is revealed late.

    ===============  =========  ================
    parameters       histories  information sets
    ===============  =========  ================
    the defaults           121                37
    structured=True         85                10
    depth=9                745               214
    ===============  =========  ================

    Parameters
    ----------
    seed : int
        Chooses the game.
    depth : int
        Largest number of moves in a history.
    branching : int
        Largest number of actions or outcomes of a move, from 1 to 26; each move has 1 or more.
    chance_moves : float
        Probability that a move is chance's; with 0 there are no chance moves at all.
    observability : float
        Probability that a move is seen by a player who did not make it. In structured games:
        probability that a chance outcome is public, else one player alone sees it.
    late : float
        Probability that, after another's move, a player learns of all moves not seen so far.
    stop : float
        Probability that the game ends after a move although more moves are possible.
    ties : float
        Probability that a payoff is 0; other payoffs are uniform between -1 and 1.
    skew : float
        Powers of ten by which the probabilities of chance outcomes may differ.
    movers : {"both", "first", "second"}
        Who makes decisions; with "first", player 1 never moves.
    structured : bool
        Whether the game resembles poker.
    """

    seed: int = 0
    depth: int = 6
    branching: int = 3
    chance_moves: float = 0.25
    observability: float = 0.2
    late: float = 0.1
    stop: float = 0.1
    ties: float = 0.2
    skew: float = 2.0
    movers: Movers = "both"
    structured: bool = False
    name = "random"
    immutable_states = True

    def __post_init__(self) -> None:
        for field in ("chance_moves", "observability", "late", "stop", "ties"):
            value = getattr(self, field)
            if not 0 <= value <= 1:
                raise ParameterError(f"random: {field}={value!r} is no probability; choose 0 to 1")
        if not 0 <= self.skew <= 12:
            raise ParameterError(f"random: skew={self.skew!r} is not possible; choose 0 to 12")
        if self.movers not in get_args(Movers):
            raise ParameterError(
                f"random: movers={self.movers!r} is unknown; choose both, first or second"
            )
        if self.depth not in range(1, 100):
            raise ParameterError(f"random: depth={self.depth!r} is not possible; choose 1 to 99")
        if self.branching not in range(1, 27):
            raise ParameterError(
                f"random: branching={self.branching!r} is not possible; choose 1 to 26"
            )
        if self.branching**self.depth > LARGEST:
            raise ParameterError(
                f"random: branching={self.branching}, depth={self.depth} may give "
                f"{self.branching**self.depth:,} endings; lower them to stay below {LARGEST:,}"
            )

    @property
    def parameters(self) -> dict[str, Any]:
        """The fields of the dataclass."""
        return asdict(self)

    def _draw(self, *about: object) -> float:
        """Return a number in [0, 1) that depends on the seed and the arguments alone."""
        digest = blake2b(repr((self.seed, *about)).encode(), digest_size=6).digest()
        return int.from_bytes(digest, "big") / 2**48

    def _happens(self, probability: float, *about: object) -> bool:
        return self._draw(*about) < probability

    def _basis(self, state: Record) -> str:
        """Return that part of the past on which the shape of the game depends."""
        return state.public if self.structured else state.path

    def start(self) -> Record:
        """Begin with empty records."""
        return Record("", ("", ""), ("", ""), "")

    def turn(self, state: Record) -> int:
        """Draw whether the game goes on, and who moves."""
        basis = self._basis(state)
        moves = len(state.path)
        if self.structured and self.chance_moves and moves < min(2, self.depth):
            return CHANCE
        if moves == self.depth or (moves and self._happens(self.stop, "stop", basis)):
            return END
        if self._happens(self.chance_moves, "chance", basis):
            return CHANCE
        if self.movers == "both":
            return int(self._happens(0.5, "turn", basis))
        return 0 if self.movers == "first" else 1

    def actions(self, state: Record) -> str:
        """Draw how many actions there are from what the player knows."""
        player = self.turn(state)
        known = state.public if self.structured else state.seen[player]
        return LETTERS[: 1 + int(self._draw("actions", player, known) * self.branching)]

    def chance(self, state: Record) -> list[tuple[str, float]]:
        """Draw outcomes of very different probability."""
        number = 1 + int(self._draw("outcomes", self._basis(state)) * self.branching)
        outcomes = LETTERS[:number]
        weights = [10 ** (-self.skew * self._draw("weight", state.path, o)) for o in outcomes]
        return [(o, weight / sum(weights)) for o, weight in zip(outcomes, weights, strict=True)]

    def after(self, state: Record, action: str) -> Record:
        """Tell each player what that player observes of the move."""
        mover = self.turn(state)
        records = [self._observe(state, action, mover, player) for player in (0, 1)]
        (seen0, unseen0), (seen1, unseen1) = records
        known_to_both = len(self._audience(state, mover)) == 2
        public = f"{state.public} {mover}{action if known_to_both else ''}"
        return Record(state.path + action, (seen0, seen1), (unseen0, unseen1), public)

    def _audience(self, state: Record, mover: int) -> tuple[int, ...]:
        """Return who sees a move in a structured game."""
        if mover != CHANCE:
            return 0, 1
        if len(state.path) < 2:
            return (len(state.path),)
        if self._happens(self.observability, "public", state.public):
            return 0, 1
        return (int(self._happens(0.5, "dealt to", state.public)),)

    def _observe(self, state: Record, action: str, mover: int, player: int) -> tuple[str, str]:
        """Return a player's observed and not yet observed events after a move."""
        seen, unseen = state.seen[player], state.unseen[player]
        if player == mover:
            return f"{seen} >{action}", unseen
        event = f" {'*' if mover == CHANCE else '<'}{action}"
        if self.structured:
            return seen + (event if player in self._audience(state, mover) else " *"), ""
        if self._happens(self.observability, "sees", player, state.path, action):
            seen += event
        else:
            unseen += event
        if unseen and self._happens(self.late, "late", player, state.path, action):
            return seen + unseen.replace(" ", " ~"), ""
        return seen, unseen

    def information(self, state: Record) -> str:
        """Return the player to move and that player's record."""
        player = self.turn(state)
        return f"{player}:{state.seen[player]}"

    def payoffs(self, state: Record) -> tuple[float, float]:
        """Draw a payoff between -1 and 1, sometimes 0."""
        if self._happens(self.ties, "tie", state.path):
            return 0.0, 0.0
        win = 2 * self._draw("payoff", state.path) - 1
        return win, -win
