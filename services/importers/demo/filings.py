"""The quarters of the demonstration portfolio, as filings: each is made up when its turn comes."""

from datetime import date
from functools import partial
from typing import Final

from services.contract.errors import InvalidRequest
from services.contract.period import Filing
from services.importers.demo.source import KEY, portfolio, quarters

#: What a demonstration store has; loans that went are made up of these years only.
MOST_QUARTERS: Final = 12


def filings(*, loans: int, seed: int, as_of: date, count: int = MOST_QUARTERS) -> list[Filing]:
    """The portfolio as of the ends of `count` quarters, earliest first; the last one is today's.

    Fewer where no loan was made yet. Raises InvalidRequest.
    """
    if not 1 <= count <= MOST_QUARTERS:
        raise InvalidRequest(
            f"The demonstration portfolio has 1 to {MOST_QUARTERS} quarters, not {count:,}; "
            "ask for a number between them.",
            parameter="quarters",
        )
    made = partial(portfolio, loans=loans, seed=seed, as_of=as_of)
    return [
        Filing(KEY, (), f"{day:%-d %b %Y}", made if day == as_of else partial(made, at=day))
        for day in quarters(loans=loans, seed=seed, as_of=as_of, count=count)
    ]
