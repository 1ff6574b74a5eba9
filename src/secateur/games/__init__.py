"""Rules of games: the protocol, and the games that come with the package."""

from secateur.games.battleship import Battleship
from secateur.games.goofspiel import Goofspiel
from secateur.games.holdem.game import Holdem
from secateur.games.kuhn import Kuhn
from secateur.games.leduc import Leduc
from secateur.games.liars_dice import LiarsDice
from secateur.games.matrix import MatrixGame
from secateur.games.parameters import Parameter
from secateur.games.public import Deal, Hands, Payoff, PublicGame
from secateur.games.random_game import RandomGame
from secateur.games.registry import Entry, available, load
from secateur.games.rules import CHANCE, END, Game

__all__ = [
    "CHANCE",
    "END",
    "Battleship",
    "Deal",
    "Entry",
    "Game",
    "Goofspiel",
    "Hands",
    "Holdem",
    "Kuhn",
    "Leduc",
    "LiarsDice",
    "MatrixGame",
    "Parameter",
    "Payoff",
    "PublicGame",
    "RandomGame",
    "available",
    "load",
]
