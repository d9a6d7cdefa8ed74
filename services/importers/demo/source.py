"""The demonstration portfolio: made up, deterministic, shaped like a real book of CRE loans.

Whole columns are drawn at once, so that a million loans take seconds. What it is made of stands
in demo.toml, how its parts are drawn in services/importers/README.md; each stage draws from a
stream of its own, seeded by (seed, stage).
"""

from collections.abc import Callable
from datetime import date

import numpy as np

from services.contract.errors import InvalidRequest
from services.contract.portfolio import REJECTS, Portfolio, SourceInfo
from services.importers.demo.assumptions import Assumptions, assumptions
from services.importers.demo.income import appraisals, income
from services.importers.demo.leases import leases
from services.importers.demo.loans import Book, left_out, loan_table
from services.importers.demo.market import debt
from services.importers.demo.owners import ownership
from services.importers.demo.properties import parts, properties, sites, sizes
from services.importers.demo.register import Register
from services.importers.demo.servicing import servicing
from services.importers.demo.stack import layers, senior_lenders, stack
from services.importers.demo.underwriting import underwriting

MOST_LOANS = 2_000_000
FIRST_DAY, LAST_DAY = date(2012, 1, 1), date(2035, 12, 31)
STAGES = 11

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
    then = underwriting(streams[1], data, owed)
    earned = income(streams[7], data, owed, then, as_of=as_of)
    served = servicing(streams[8], data, owed, earned, as_of=as_of)
    worth = appraisals(streams[9], data, owed, then, earned, troubled=served.troubled, as_of=as_of)
    at = sites(streams[2], data, owed, then)
    unknown = left_out(streams[3], data, owed)
    tell("Describing the properties.", 0.35)
    part = parts(streams[4], at)
    measured = sizes(streams[4], data, owed, then, at, part)
    described = properties(
        streams[4], data, owed, earned, worth, at, measured, part, missing=unknown
    )
    let = leases(streams[10], data, owed, earned, area=measured.area, as_of=as_of)
    tell("Stacking the debt layers.", 0.50)
    register = Register()
    made = stack(streams[5], data, owed, register)
    tell("Linking borrowers, sponsors and owners.", 0.60)
    troubled = served.troubled | (earned.dscr < 1)
    weakest = ownership(streams[6], data, owed, at, register, troubled=troubled)
    tell("Naming the parties.", 0.75)
    entities = register.entities()
    names = entities.column("entity_name").combine_chunks()
    tell("Writing the tables.", 0.90)
    book = Book(owed, then, earned, worth, served, at, measured.area, as_of)
    done = Portfolio(
        info=_info(data, loans=loans, seed=seed, as_of=as_of),
        loans=loan_table(
            data, book, lender=names.take(senior_lenders(made)), weakest=weakest, missing=unknown
        ),
        layers=layers(made, names, no_coupon=unknown["interest_rate"]),
        properties=described,
        entities=entities,
        edges=register.edges(),
        rejects=REJECTS.empty_table(),
        leases=let,
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


def _info(data: Assumptions, *, loans: int, seed: int, as_of: date) -> SourceInfo:
    return SourceInfo(
        key="demo",
        importer="demo",
        title=data.title,
        publisher=data.publisher,
        terms=data.terms,
        as_of=as_of,
        provenance="synthetic",
        records_read=loans,
        seed=seed,
    )
