"""One figure: what it shows, runs and claims."""

from __future__ import annotations

from dataclasses import dataclass, field

from secateur.papers.budgets import Budgets
from secateur.papers.claims import Claim, Judgement
from secateur.papers.curves import Curve
from secateur.papers.panels import Panel
from secateur.papers.runs import Runs


@dataclass(frozen=True)
class Figure:
    """One figure of a paper, or of our own."""

    name: str
    title: str
    shows: str
    """As the paper's text tells."""

    open: str
    """What the text does not tell, and what is done here."""

    panels: tuple[Panel, ...]
    """What is drawn, from top to bottom."""

    curves: tuple[Curve, ...]
    claims: tuple[Claim, ...]
    claimed_by: str = "paper"
    own_budgets: Budgets = field(default_factory=dict)
    """Where its curves end, if not where those of other figures do; it shares none with them."""

    @property
    def games(self) -> tuple[str, ...]:
        """The games of the curves, in their order."""
        return tuple(dict.fromkeys(curve.game for curve in self.curves))

    def budgets(self, usual: Budgets) -> Budgets:
        """Return where the curves end."""
        return {**usual, **self.own_budgets}

    def judge(self, runs: Runs) -> list[Judgement]:
        """Return a judgement of each claim."""
        return [claim.judge(runs) for claim in self.claims]
