r"""Well-known combinations, by name.

In all of them :math:`r_t(I, a) = v_t(I, a) - v_t(I)` is the instantaneous regret of iteration t,
and the average strategy weighs iteration t by :math:`\omega_t`. Options of :class:`secateur.CFR`
change a recipe: ``cfr(pruning=BestResponsePruning())``, ``dcfr(updates="simultaneous")``.
"""

from __future__ import annotations

from typing import Any

from secateur.algorithms import ALGORITHMS
from secateur.solvers.cfr import CFR

__all__ = [
    "cfr",
    "cfr_plus",
    "dcfr",
    "dcfr_plus",
    "hedge",
    "linear_cfr",
    "pcfr_plus",
    "pdcfr_plus",
    "sapcfr_plus",
]


def cfr(**options: Any) -> CFR:
    r"""Return CFR with regret matching and uniform averaging.

    .. math:: R \leftarrow R + r_t, \qquad \sigma_{t+1} \propto \max(0, R), \qquad \omega_t = 1

    Zinkevich et al. (2007); Brown and Sandholm (2017), equations (1) to (3).

    Examples
    --------
    >>> import secateur
    >>> solver = secateur.recipes.cfr(pruning=secateur.BestResponsePruning())
    >>> result = secateur.solve("kuhn", solver, secateur.until.iterations(3000))
    >>> result.exploitability < 1e-3
    True
    """
    return _made("cfr", options)


def cfr_plus(**options: Any) -> CFR:
    r"""Return CFR+, which forgets negative regrets, with linear averaging.

    .. math:: R \leftarrow \max(0, R + r_t), \qquad \sigma_{t+1} \propto R, \qquad \omega_t = t

    Tammelin (2014).

    Examples
    --------
    >>> import secateur
    >>> result = secateur.solve("kuhn", secateur.recipes.cfr_plus(), until=1e-4)
    >>> f"{result.value:.3f}"
    '-0.056'
    """
    return _made("cfr+", options)


def linear_cfr(**options: Any) -> CFR:
    r"""Return linear CFR: iteration t weighs t in regrets and average.

    .. math:: R \leftarrow R + t\, r_t, \qquad \sigma_{t+1} \propto \max(0, R),
        \qquad \omega_t = t

    Brown and Sandholm (2019).

    Examples
    --------
    >>> import secateur
    >>> result = secateur.solve("kuhn", secateur.recipes.linear_cfr(), until=1e-3)
    >>> result.exploitability <= 1e-3
    True
    """
    return _made("lcfr", options)


def dcfr(**options: Any) -> CFR:
    r"""Return discounted CFR with exponents 1.5, 0 and 2.

    .. math:: R \leftarrow d_t\, R + r_t, \qquad \sigma_{t+1} \propto \max(0, R),
        \qquad \omega_t = t^2

    with :math:`d_t = (t-1)^{1.5} / ((t-1)^{1.5} + 1)` where R is positive and 1/2 elsewhere.

    Brown and Sandholm (2019).

    Examples
    --------
    >>> import secateur
    >>> solver = secateur.recipes.dcfr(averaging=secateur.Averaging(power=4))
    >>> result = secateur.solve("kuhn", solver, until=1e-3)
    >>> result.exploitability <= 1e-3
    True
    """
    return _made("dcfr", options)


def dcfr_plus(**options: Any) -> CFR:
    r"""Return discounted CFR+ with exponents 1.5 and 4.

    .. math:: R \leftarrow \max(0, d_t\, R + r_t), \qquad \sigma_{t+1} \propto R,
        \qquad \omega_t = t^4

    with :math:`d_t = (t-1)^{1.5} / ((t-1)^{1.5} + 1)`.

    Xu et al. (2024), with the exponents of their experiments.

    Examples
    --------
    >>> import secateur
    >>> result = secateur.solve("kuhn", secateur.recipes.dcfr_plus(), until=1e-3)
    >>> result.exploitability <= 1e-3
    True
    """
    return _made("dcfr+", options)


def pcfr_plus(**options: Any) -> CFR:
    r"""Return predictive CFR+ with quadratic averaging.

    .. math:: R \leftarrow \max(0, R + r_t), \qquad \sigma_{t+1} \propto \max(0, R + r_t),
        \qquad \omega_t = t^2

    where the second :math:`r_t` is the prediction of the next.

    Farina, Kroer and Sandholm (2021).

    Examples
    --------
    >>> import secateur
    >>> result = secateur.solve("kuhn", secateur.recipes.pcfr_plus(), until=1e-3)
    >>> result.exploitability <= 1e-3
    True
    """
    return _made("pcfr+", options)


def pdcfr_plus(**options: Any) -> CFR:
    r"""Return predictive discounted CFR+ with exponents 2.3 and 5.

    .. math:: R \leftarrow \max(0, d_t\, R + r_t), \qquad
        \sigma_{t+1} \propto \max(0, d_{t+1}\, R + r_t), \qquad \omega_t = t^5

    with :math:`d_t = (t-1)^{2.3} / ((t-1)^{2.3} + 1)`, where the second :math:`r_t` is the
    prediction of the next.

    Xu et al. (2024), with the exponents of their experiments.

    Examples
    --------
    >>> import secateur
    >>> result = secateur.solve("kuhn", secateur.recipes.pdcfr_plus(), until=1e-4)
    >>> result.exploitability <= 1e-4
    True
    """
    return _made("pdcfr+", options)


def sapcfr_plus(**options: Any) -> CFR:
    r"""Return simple asymmetric predictive CFR+ with quadratic averaging.

    .. math:: R \leftarrow \max(0, R + r_t), \qquad
        \sigma_{t+1} \propto \max\left(0, R + \tfrac{1}{3} r_t\right), \qquad \omega_t = t^2

    where the second :math:`r_t` is the prediction of the next, trusted by a third.

    Meng et al. (2026), section 4.2.

    Examples
    --------
    >>> import secateur
    >>> result = secateur.solve("kuhn", secateur.recipes.sapcfr_plus(), until=1e-4)
    >>> result.exploitability <= 1e-4
    True
    """
    return _made("sapcfr+", options)


def hedge(**options: Any) -> CFR:
    r"""Return CFR with Hedge and uniform averaging.

    .. math:: R \leftarrow R + r_t, \qquad \sigma_{t+1} \propto \exp(\eta_t R),
        \qquad \omega_t = 1

    Freund and Schapire (1997); Brown, Kroer and Sandholm (2017), equation (8), with the learning
    rate of their section 5. Thresholds let it prune.

    Examples
    --------
    >>> import secateur
    >>> solver = secateur.recipes.hedge(
    ...     thresholding=secateur.DynamicThresholding(2), pruning=secateur.RegretBasedPruning()
    ... )
    >>> result = secateur.solve("kuhn", solver, until=1e-2)
    >>> result.exploitability <= 1e-2
    True
    """
    return _made("hedge", options)


def _made(name: str, options: dict[str, Any]) -> CFR:
    solver = ALGORITHMS[name].solver(**options)
    assert isinstance(solver, CFR)
    return solver
