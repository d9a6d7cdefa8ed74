"""Frames of loans and signals hold what the pages show for the same filters (D130, D132,
D241).
"""

from datetime import date

import numpy as np
import pandas as pd
import pytest

from services.contract.columns import LOAN_EXPORT, SIGNAL_EXPORT
from services.contract.errors import InvalidRequest, MirrorMissing
from services.contract.loan_filter import LoanFilter
from services.contract.paging import every
from services.contract.queries import LoanQuery, SignalQuery
from services.contract.records import Loan
from services.contract.signal_filter import SignalFilter
from services.frames.columns import OF_LOANS
from services.store import arrow_columns, signal_frames
from tests.exported import loan_table as exported
from tests.exported import signal_table
from tests.frames.plain import rows

FILTERS = [
    {},
    {"state": "TX"},
    {"state": ["TX", "NY"], "order": "-book_value"},
    {"property_type": "office", "min_ltv": 60, "order": "maturity_date"},
    {"maturity_before": "2026-03-01", "maturity_after": date(2024, 2, 28)},
    {"min_balance": 10_000_000, "max_balance": 10_000_001, "order": "-loan_number"},
    {"severity": ["critical", "none"], "order": "-worst_severity"},
    {"special_servicing": False, "max_dscr": 1.25, "order": "dscr"},
    {"lender": "wells fargo", "order": "sponsor"},
    {"numbers": np.array(["A-1", "a-1", "no such"])},
    {"state": "WY", "min_dscr": 99},
]
LISTED = [name for name in Loan.model_fields if name != "extra"]


def filtered(asked):
    plain = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in asked.items()}
    return LoanFilter.model_validate(plain)


@pytest.mark.parametrize("asked", FILTERS, ids=str)
def test_loans_are_those_of_the_pages_in_their_order_with_their_figures(snapshot, asked):
    query = filtered(asked)
    pages = every(lambda one: snapshot.analytics.loans_found(one, ()), query)
    frame = snapshot.atlas.loans(**asked)
    assert frame["loan_number"].tolist() == [one.loan_number for one in pages]
    assert list(frame.columns) == list(LOAN_EXPORT)
    assert rows(frame) == exported(snapshot.analytics, query).select(LOAN_EXPORT).to_pylist()


@pytest.mark.parametrize("asked", FILTERS, ids=str)
def test_totals_are_those_over_the_list(snapshot, asked):
    query = filtered(asked)
    expected = snapshot.analytics.loan_totals(query)
    found = snapshot.atlas.totals(**asked)
    means = ("coupon", "dscr", "ltv", "debt_yield")
    plain = ("loans", "records", "notes", "book_value", "dollars_short", "short_loans")
    told = {name: getattr(expected, name) for name in plain}
    told |= {name: getattr(expected, name).mean for name in means}
    assert {name: None if one is pd.NA else one for name, one in found.items()} == told
    assert found.attrs["coverage"] == {name: getattr(expected, name).coverage for name in means}


@pytest.mark.parametrize("asked", FILTERS[:4], ids=str)
def test_whole_columns_hold_what_a_statement_over_ids_does(snapshot, asked, monkeypatch):
    names = [name for name in OF_LOANS if name != "further"]
    few = snapshot.atlas.loans(columns=names, **asked)
    monkeypatch.setattr(arrow_columns, "_FEW", -1)
    pd.testing.assert_frame_equal(few, snapshot.atlas.loans(columns=names, **asked))


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"state": "TX"},
        {"signal_type": "maturity_timing", "severity": ["severe", "critical"]},
        {"order": "-severity", "property_type": "office"},
        {"rule": "no such rule"},
    ],
    ids=str,
)
def test_signals_are_those_of_the_pages_in_their_order(snapshot, asked, monkeypatch):
    query = SignalFilter(**asked)
    frame = snapshot.atlas.signals(columns=[*SIGNAL_EXPORT, "dscr"], **asked)
    table = signal_table(snapshot.analytics, query, ("dscr",))
    assert rows(frame) == table.to_pylist()
    assert list(snapshot.atlas.signals(**asked).columns) == list(SIGNAL_EXPORT)
    # Of many signals columns of loans are read whole.
    monkeypatch.setattr(arrow_columns, "_FEW", 0)
    monkeypatch.setattr(signal_frames, "_PART", 7)
    again = snapshot.atlas.signals(columns=[*SIGNAL_EXPORT, "dscr"], **asked)
    assert rows(again) == table.to_pylist()
    assert again.dtypes.to_dict() == frame.dtypes.to_dict()


@pytest.mark.parametrize("asked", [{}, {"state": "TX"}, {"max_balance": 0}], ids=str)
def test_an_api_gives_its_list_page_by_page(live, asked):
    found = [dict(one) for one in every(live.source.loans, LoanQuery(**asked))]
    expected = [{name: row[name] for name in LISTED} for row in found]
    frame = live.atlas.loans(**asked)
    assert rows(frame) == expected
    assert frame.attrs["source"].startswith("API ")
    assert frame.attrs["as_of"].startswith("asked on ")


def test_an_api_gives_its_signals(live, of_store):
    found = list(every(live.source.signals, SignalQuery(state="TX")))
    frame = live.atlas.signals(state="TX")
    assert frame["description"].tolist() == [one.description for one in found]
    whole = of_store.atlas.signals(state="TX", columns=list(frame.columns))
    assert rows(frame) == rows(whole)


@pytest.mark.parametrize(
    "ask",
    [
        lambda atlas: atlas.loans(order="-book_value"),
        lambda atlas: atlas.loans(min_dscr=1),
        lambda atlas: atlas.loans(columns=["loan_number", "dscr"]),
        lambda atlas: atlas.signals(order="-severity"),
        lambda atlas: atlas.signals(columns="refi_rate"),
        lambda atlas: atlas.families(),
        lambda atlas: atlas.snapshot(),
    ],
)
def test_what_an_api_cannot_answer_needs_the_mirror(live, ask):
    with pytest.raises(MirrorMissing, match="fill the mirror"):
        ask(live.atlas)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"maturing_before": "2027-12-31"}, "did you mean 'maturity_before'"),
        ({"state": "Texas"}, "write 'TX'"),
        ({"state": []}, "must name at least 1"),
        ({"maturity_before": "soon"}, "YYYY-MM-DD"),
        ({"min_coupon": 10**10}, "must be at most 1,000,000,000"),
        ({"order": "size"}, "must be the name of a column"),
        ({"page": 2}, "no 'page'"),
        ({"columns": ["book_valu"]}, "did you mean 'book_value'"),
        ({"columns": []}, "names no column"),
    ],
)
def test_a_question_at_fault_is_a_sentence(snapshot, asked, said):
    with pytest.raises(InvalidRequest, match=said):
        snapshot.atlas.loans(**asked)


def test_values_may_come_from_numpy_and_pandas(of_store):
    loans = of_store.atlas.loans
    asked = {"state": pd.Series(["TX", "NY"]), "min_balance": np.int64(1), "min_ltv": None}
    since = pd.Timestamp("2024-02-28")
    plainly = loans(state="NY,TX", min_balance=1, maturity_after="2024-02-28")
    pd.testing.assert_frame_equal(loans(**asked, maturity_after=since), plainly)
    with pytest.raises(InvalidRequest, match="YYYY-MM-DD"):
        loans(maturity_after=pd.Timestamp("2024-02-28 10:00"))


def test_one_loan_is_whole(anywhere):
    found = anywhere.source.loan("A-1")
    series = anywhere.atlas.loan("A-1")
    assert series.name == series["loan_number"] == "A-1"
    told = {**found.model_dump(exclude={"extended", "extra"}), **found.extended, **found.extra}
    assert {k: None if v is pd.NA else v for k, v in series.items()} == told
    assert series.attrs["units"]["book_value"] == "US dollars"
