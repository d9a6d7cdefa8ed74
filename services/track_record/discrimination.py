"""How well a figure ranks: area under the ROC curve, with an interval over resampled loans."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.contract.track_record import Discrimination
from services.track_record.history import LoanMonth
from services.track_record.observations import Observation

#: Under so many distressed loans an AUC says nothing.
FEWEST_DISTRESSED: Final = 5
DRAWS: Final = 2_000
_SEED: Final = 1
_INTERVAL: Final = (2.5, 97.5)
_PLACES: Final = 3


def _low_is_worse(figure: float | None) -> float | None:
    return None if figure is None else -figure


#: What is ranked by: of each the worse, the higher.
PREDICTORS: Final[Mapping[str, Callable[[LoanMonth], float | None]]] = {
    "severity": lambda month: month.severity,
    "severity_without_status": lambda month: month.severity_without_status,
    "dscr": lambda month: _low_is_worse(month.dscr),
    "debt_yield": lambda month: _low_is_worse(month.debt_yield),
    "refinance_gap": lambda month: month.refinance_gap,
}


def discrimination(predictor: str, observed: Sequence[Observation]) -> Discrimination:
    """AUC of one predictor over the observations that have it, with its interval of 95 %.

    Loans are drawn with replacement, each with all its months, for the months of one loan are
    nearly one observation. Draws without a distressed loan, or with no other, are left out.
    """
    worse = PREDICTORS[predictor]
    known = [(one, worse(one.at)) for one in observed]
    known = [(one, figure) for one, figure in known if figure is not None]
    keys = [(one.at.trust, one.at.loan_number) for one, _ in known]
    numbers = {key: at for at, key in enumerate(dict.fromkeys(keys))}
    distressed = {key for key, (one, _) in zip(keys, known, strict=True) if one.distressed}
    counted = Discrimination(
        predictor=predictor,
        loan_months=len(known),
        loans=len(numbers),
        distressed_loans=len(distressed),
    )
    if len(distressed) < FEWEST_DISTRESSED or len(distressed) == len(numbers):
        return counted
    loan = np.array([numbers[key] for key in keys])
    figures = np.array([figure for _, figure in known], dtype=np.float64)
    event = np.array([one.distressed for one, _ in known])
    low, high = _interval(figures, event, loan, len(numbers))
    found = auc(figures, event, np.ones(len(known)))
    return counted.model_copy(
        update={"auc": round(found, _PLACES), "low": round(low, _PLACES),
                "high": round(high, _PLACES)}
    )  # fmt: skip


def auc(
    figures: NDArray[np.float64], event: NDArray[np.bool_], weight: NDArray[np.float64]
) -> float:
    """The share of pairs, one with the event and one without, in which the first has the higher
    figure; a tie is half. Pairs count by the product of weights; NaN where there is none.
    """
    ranks, places = np.unique(figures, return_inverse=True)
    return _auc(places, len(ranks), event, weight)


def _auc(
    places: NDArray[np.intp], count: int, event: NDArray[np.bool_], weight: NDArray[np.float64]
) -> float:
    with_event = np.bincount(places, weights=weight * event, minlength=count)
    without = np.bincount(places, weights=weight * ~event, minlength=count)
    below = np.cumsum(without) - without
    pairs = with_event.sum() * without.sum()
    return float(with_event @ (below + without / 2) / pairs) if pairs else float("nan")


def _interval(
    figures: NDArray[np.float64], event: NDArray[np.bool_], loan: NDArray[np.int64], loans: int
) -> tuple[float, float]:
    random = np.random.default_rng(_SEED)
    ranks, places = np.unique(figures, return_inverse=True)
    drawn = np.empty(DRAWS)
    for at in range(DRAWS):
        times = np.bincount(random.integers(0, loans, loans), minlength=loans)
        drawn[at] = _auc(places, len(ranks), event, times[loan].astype(np.float64))
    low, high = np.nanpercentile(drawn, _INTERVAL)
    return float(low), float(high)
