"""The demonstration portfolio: made up, deterministic, shaped like a real book of CRE loans.

Whole columns are drawn at once, so that a million loans take seconds. What it is made of stands
in demo.toml, how its parts are drawn in services/importers/README.md; each stage draws from a
stream of its own, seeded by (seed, stage).
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import date

import numpy as np
import pyarrow as pa

from services.contract.errors import InvalidRequest
from services.contract.portfolio import REJECTS, Portfolio, SourceInfo
from services.importers.demo.assumptions import Assumptions, Bools, Ints, assumptions
from services.importers.demo.days import month_of
from services.importers.demo.departed import appraised, departed, joined
from services.importers.demo.draws import Generator
from services.importers.demo.earlier import book_at, leases_at, only
from services.importers.demo.endings import Endings, endings, with_endings
from services.importers.demo.income import appraisals, income, with_hidden_debt
from services.importers.demo.leases import leases
from services.importers.demo.loans import Book, left_out, loan_table
from services.importers.demo.market import debt
from services.importers.demo.owners import ownership
from services.importers.demo.properties import Sizes, properties, sites, sizes
from services.importers.demo.reductions import reports
from services.importers.demo.register import Register, witnesses
from services.importers.demo.servicing import REO, servicing
from services.importers.demo.stack import layers, senior_lenders, stack
from services.importers.demo.statements import quarter_ends
from services.importers.demo.terms import monthly_payment
from services.importers.demo.trailing import with_trailing
from services.importers.demo.trouble import path_of
from services.importers.demo.underwriting import underwriting

KEY = "demo"
MOST_LOANS = 2_000_000
FIRST_DAY, LAST_DAY = date(2012, 1, 1), date(2035, 12, 31)
STAGES = 14  # streams of the loans of today; the next one is that of a day
DEPARTED, STAGES_OF_DEPARTED = STAGES + 1, 8

Progress = Callable[[str, float], None]


def portfolio(
    *,
    loans: int = 5000,
    seed: int = 1,
    as_of: date = date(2026, 9, 30),
    at: date | None = None,
    progress: Progress | None = None,
) -> Portfolio:
    """A made-up portfolio; the same arguments give byte-identical tables.

    Takes   loans, 1 to 2,000,000; seed, 0 or more; as_of, 2012 to 2035 (D26); `at`, a day of
            `quarters`; `progress`, called with a sentence and the fraction done, 0 to 1.
    Returns tables of services/contract/portfolio.py: loans "CA-000001" onwards in that order,
            layers and properties by loan, no rejects. Provenance "synthetic". With `at` the same
            loans as they were on that day, but for those that were made later (earlier.py).
    Raises  InvalidRequest for an argument out of bounds.
    """
    _check(loans=loans, seed=seed, as_of=as_of)
    data = assumptions()
    tell = progress or _silent
    streams = [_stream(seed, stage) for stage in range(STAGES)]
    tell("Placing the loans and pricing them.", 0.0)
    owed = debt(streams[0], data, loans=loans, as_of=as_of)
    tell("Valuing the properties and their income.", 0.15)
    then = underwriting(streams[1], data, owed)
    earned = income(streams[7], data, owed, then, as_of=as_of)
    served = servicing(streams[8], data, owed, earned, as_of=as_of)
    worth = appraisals(
        streams[9],
        data,
        owed,
        then,
        earned,
        troubled=served.troubled,
        serious=served.serious,
        taken=served.workout == REO,
        paid_through=served.paid_through,
        as_of=as_of,
    )
    where = sites(streams[2], data, owed, then)
    unknown = left_out(streams[3], data, owed)
    tell("Describing the properties.", 0.35)
    measured = sizes(streams[4], data, owed, then, where)
    let = leases(streams[10], data, owed, earned, area=measured.area, as_of=as_of)
    end = endings(streams[12], owed, as_of=as_of)
    today = Book(owed, then, earned, worth, served, where, measured.area, as_of)
    book = today
    if at is not None:
        path = path_of(streams[13], owed, served, worth, end, as_of=as_of)
        once = _stream(seed, STAGES, month_of(at))
        book = book_at(at, data, today, end, path, earning=_stream(seed, 7), once=once)
        let = leases_at(streams[10], let, at=at, as_of=as_of)
    tell("Stacking the debt layers.", 0.50)
    register = Register()
    made = stack(streams[5], data, book.debt, register)
    tell("Linking borrowers, sponsors and owners.", 0.60)
    troubled = served.troubled | (earned.dscr < 1)
    weakest = ownership(
        streams[6], _stream(seed, 6, 2), data, owed, where, register, troubled=troubled
    )
    tell("Naming the parties.", 0.75)
    entities = register.entities()
    names = entities.column("entity_name").combine_chunks()
    tell("Writing the tables.", 0.90)
    described, listed = _loans_of(
        data,
        book,
        end,
        measured,
        unknown,
        filing_of=[_stream(seed, 7, 2), _stream(seed, 7, 3)],
        properties_of=streams[4],
        reports_of=streams[11],
        lender=names.take(senior_lenders(made)),
        weakest=weakest,
    )
    done = Portfolio(
        info=_info(data, loans=loans, seed=seed, as_of=book.as_of),
        loans=listed,
        layers=layers(made, names, no_coupon=unknown["interest_rate"]),
        properties=described,
        entities=entities,
        edges=register.edges(),
        rejects=REJECTS.empty_table(),
        leases=let,
    )
    if at is not None:
        done = _on_the_day(done, data, today, weakest, seed=seed, at=at)
    tell("The demonstration portfolio is ready.", 1.0)
    return replace(done, witnesses=witnesses(done.edges))


def _loans_of(
    data: Assumptions,
    book: Book,
    end: Endings,
    measured: Sizes,
    unknown: dict[str, Bools],
    *,
    filing_of: list[Generator],
    properties_of: Generator,
    reports_of: Generator,
    lender: pa.Array,
    weakest: Ints,
) -> tuple[pa.Table, pa.Table]:
    """PROPERTIES and LOANS rows of a book."""
    trailing, hidden = filing_of
    now = with_hidden_debt(hidden, book.debt, book.then, book.now)
    now = with_trailing(trailing, book.debt, book.then, now, as_of=book.as_of)
    book = replace(book, now=now)
    described = properties(
        properties_of, data, book.debt, book.now, book.worth, book.at, measured, missing=unknown
    )
    reported = reports(
        reports_of,
        book.debt,
        book.served,
        book.worth,
        monthly=monthly_payment(book.debt),
        no_value=unknown["value"],
        no_status=unknown["payment_status"],
        today=np.datetime64(book.as_of),
    )
    listed = loan_table(
        data, book, lender=lender, weakest=weakest, reported=reported, missing=unknown
    )
    return described, with_endings(listed, book.debt, end)


def _on_the_day(
    source: Portfolio, data: Assumptions, today: Book, weakest: Ints, *, seed: int, at: date
) -> Portfolio:
    """Without the loans that were made later, and with those that were there still, or had gone
    since the quarter before.
    """
    streams = [_stream(seed, DEPARTED, stage) for stage in range(STAGES_OF_DEPARTED)]
    gone = departed(streams[0], data, today.debt, as_of=today.as_of)
    then = underwriting(streams[1], data, gone.debt)
    where = sites(streams[2], data, gone.debt, then)
    measured = sizes(streams[4], data, gone.debt, then, where)
    book = Book(
        debt=gone.debt,
        then=then,
        now=income(streams[5], data, gone.debt, then, as_of=today.as_of),
        worth=appraised(streams[6], gone, then),
        served=gone.served,
        at=where,
        area=measured.area,
        as_of=today.as_of,
    )
    once = _stream(seed, DEPARTED, STAGES_OF_DEPARTED, month_of(at))
    earning = _stream(seed, DEPARTED, 5)
    described, listed = _loans_of(
        data,
        book_at(at, data, book, gone.end, gone.path, earning=earning, once=once),
        gone.end,
        measured,
        left_out(streams[3], data, gone.debt),
        filing_of=[_stream(seed, DEPARTED, 5, 2), _stream(seed, DEPARTED, 5, 3)],
        properties_of=streams[4],
        reports_of=streams[7],
        lender=source.loans["lender_normalized"].combine_chunks().take(pa.array(gone.beside)),
        weakest=weakest[gone.beside],
    )
    day, before = np.datetime64(at), np.datetime64(quarter_ends(at, 2)[1])
    owing = (gone.end.on > before) & (gone.debt.dates.origination <= day)
    there = np.concatenate([today.debt.dates.origination <= day, owing])
    return only(joined(source, gone.beside, loans=listed, properties=described), there)


def quarters(*, loans: int, seed: int, as_of: date, count: int) -> list[date]:
    """The days of `count` quarters that the portfolio can be had at, earliest first: ends of
    quarters, and `as_of` itself. Fewer where none of the loans was made yet.
    """
    _check(loans=loans, seed=seed, as_of=as_of)
    first = debt(_stream(seed, 0), assumptions(), loans=loans, as_of=as_of).dates.origination.min()
    return [
        day
        for day in reversed(quarter_ends(as_of, count))
        if day == as_of or (day >= FIRST_DAY and np.datetime64(day) >= first)
    ]


def _stream(seed: int, *stage: int) -> Generator:
    return np.random.default_rng((seed, *stage))


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
        key=KEY,
        importer="demo",
        title=data.title,
        publisher=data.publisher,
        terms=data.terms,
        as_of=as_of,
        provenance="synthetic",
        records_read=loans,
        seed=seed,
    )
