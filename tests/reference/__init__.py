"""A slow oracle: all algorithms history by history, straight from equations.

Everything here favors being obviously right over being fast: dictionaries, floats, recursion
over explicit histories. Fast code is compared with it; nothing here imports fast code.
"""

from reference.averaging import Averaging
from reference.brp import ReferenceBRP
from reference.cfr import ReferenceCFR
from reference.egt import ReferenceEGT
from reference.fictitious_play import ReferenceFictitiousPlay
from reference.fictitious_play_brp import ReferenceFictitiousPlayBRP
from reference.hedge import ReferenceHedge
from reference.hedge_rbp import ReferenceHedgeRBP
from reference.interval_rbp import ReferenceRBP
from reference.local_rules import (
    AsymmetricPredictivePlus,
    Discounted,
    DiscountedPlus,
    PredictiveDiscountedPlus,
)
from reference.mirror_descent import ReferenceMirrorDescent
from reference.rounds import ReferenceRounds
from reference.tree import Tree

__all__ = [
    "AsymmetricPredictivePlus",
    "Averaging",
    "Discounted",
    "DiscountedPlus",
    "PredictiveDiscountedPlus",
    "ReferenceBRP",
    "ReferenceCFR",
    "ReferenceEGT",
    "ReferenceFictitiousPlay",
    "ReferenceFictitiousPlayBRP",
    "ReferenceHedge",
    "ReferenceHedgeRBP",
    "ReferenceMirrorDescent",
    "ReferenceRBP",
    "ReferenceRounds",
    "Tree",
]
