"""The demonstration portfolio: made up, deterministic, shaped like a real book of CRE loans.

Whole columns are drawn at once, so that a million loans take seconds. What it is made of stands
in demo.toml; each stage draws from a stream of its own, seeded by (seed, stage).
"""

from collections.abc import Callable
from datetime import date

import numpy as np

from services.contract.errors import InvalidRequest
from services.contract.portfolio import REJECTS, Portfolio, SourceInfo
from services.importers.demo.assumptions import Assumptions, assumptions
from services.importers.demo.income import income
from services.importers.demo.loans import left_out, loan_table
from services.importers.demo.market import debt
from services.importers.demo.owners import ownership
from services.importers.demo.properties import properties, sites
from services.importers.demo.register import Register
from services.importers.demo.stack import layers, senior_lenders, stack

MOST_LOANS = 2_000_000
FIRST_DAY, LAST_DAY = date(2012, 1, 1), date(2035, 12, 31)
STAGES = 7

Progress = Callable[[str, float], None]


def portfolio(
    *,
    loans: int = 5000,
    seed: int = 1,
    as_of: date = date(2026, 9, 30),
    progress: Progress | None = None,
) -> Portfolio:
    """A made-up portfolio; the same arguments give byte-identical tables.

    Takes   loans, 1 to 2,000,000; seed, 0 or more; as_of, 2012 to 2035 (D26); `progress`, called
            with a sentence and the fraction done, 0 to 1.
    Returns tables of services/contract/portfolio.py: loans "CA-000001" onwards in that order,
            layers and properties by loan, no rejects. Provenance "synthetic".
    Raises  InvalidRequest for an argument out of bounds.
    """
    _check(loans=loans, seed=seed, as_of=as_of)
    data = assumptions()
    tell = progress or _silent
    streams = [np.random.default_rng((seed, stage)) for stage in range(STAGES)]
    tell("Placing the loans and pricing them.", 0.0)
    owed = debt(streams[0], data, loans=loans, as_of=as_of)
    tell("Valuing the properties and their income.", 0.15)
    earned = income(streams[1], data, owed, as_of=as_of)
    at = sites(streams[2], data, owed, earned)
    unknown = left_out(streams[3], data, owed)
    tell("Describing the properties.", 0.35)
    described = properties(streams[4], data, owed, earned, at, missing=unknown)
    tell("Stacking the debt layers.", 0.50)
    register = Register()
    made = stack(streams[5], data, owed, register)
    tell("Linking borrowers, sponsors and owners.", 0.60)
    weakest = ownership(streams[6], data, owed, at, register)
    tell("Naming the parties.", 0.75)
    entities = register.entities()
    names = entities.column("entity_name").combine_chunks()
    tell("Writing the tables.", 0.90)
    done = Portfolio(
        info=_info(data, loans=loans, as_of=as_of),
        loans=loan_table(
            data,
            owed,
            earned,
            at,
            lender=names.take(senior_lenders(made)),
            weakest=weakest,
            missing=unknown,
        ),
        layers=layers(made, names, no_coupon=unknown["interest_rate"]),
        properties=described,
        entities=entities,
        edges=register.edges(),
        rejects=REJECTS.empty_table(),
    )
    tell("The demonstration portfolio is ready.", 1.0)
    return done


def _silent(_stage: str, _fraction: float) -> None:
    """Progress that nobody asked for."""


def _check(*, loans: int, seed: int, as_of: date) -> None:
    if not 1 <= loans <= MOST_LOANS:
        raise InvalidRequest(
            f"A demonstration portfolio has 1 to {MOST_LOANS:,} loans, not {loans:,}; "
            "ask for a number between them.",
            parameter="loans",
        )
    if seed < 0:
        raise InvalidRequest(
            f"The seed of the demonstration portfolio is 0 or more, not {seed}; choose another.",
            parameter="seed",
        )
    if not FIRST_DAY <= as_of <= LAST_DAY:
        raise InvalidRequest(
            f"The demonstration portfolio can stand from {FIRST_DAY} to {LAST_DAY}, "
            f"not on {as_of}; choose a day between them.",
            parameter="as_of",
        )


def _info(data: Assumptions, *, loans: int, as_of: date) -> SourceInfo:
    return SourceInfo(
        key="demo",
        importer="demo",
        title=data.title,
        publisher=data.publisher,
        terms=data.terms,
        as_of=as_of,
        provenance="synthetic",
        records_read=loans,
    )
