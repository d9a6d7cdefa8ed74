"""What our two endpoints answer, as the wire has it: files typed by hand, in both variants.

Pins D187. The six records of the specification are those of test_goldens.py, untouched.
"""

import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.contract.compared import DealSpan
from services.contract.errors import BadPayload
from services.contract.events import EVENT_KINDS, Event
from services.contract.happened import ChangeCount
from services.contract.history import (
    SIDES,
    ChangedLoan,
    Changes,
    HistoryRow,
    LoanHistory,
    Move,
)
from services.contract.records import Page
from services.contract.wire import decode, encode
from services.contract.wire_over_time import INSIDE, OVER_TIME

HERE = Path(__file__).parent
JUNE, AUGUST = date(2026, 6, 11), date(2026, 8, 12)
RULES = "limits version 9, rules 2e69c5c9"
BLANK = dict.fromkeys(HistoryRow.model_fields) | {"rules_version": RULES}


def event(kind, sentence, before=None, after=None, dollars=48_500_000, **more):
    told = {"as_of": AUGUST, "since": JUNE, **more}
    return Event(kind=kind, sentence=sentence, before=before, after=after, dollars=dollars, **told)


INTO_SPECIAL = "The loan went into special servicing."
HISTORY = LoanHistory(
    loan_number="LN-20417",
    property_name="Harbor Point Tower",
    source="sec-absee:Harbor 2017-C1",
    title="Harbor 2017-C1",
    missing=(date(2026, 7, 13),),
    rows=(
        HistoryRow(
            as_of=JUNE,
            file="harbor_2026-06.xml",
            rules_version=RULES,
            balance=48_600_000,
            interest_rate=4.125,
            rate_type="1",
            maturity_date=date(2027, 3, 15),
            effective_maturity=date(2027, 3, 15),
            amortization_months=360,
            payment_status="0",
            workout=None,
            modification=None,
            modified_on=None,
            defeasance="N",
            special_servicing=False,
            disposition="outstanding",
            realized_loss=None,
            dscr=1.21,
            income_basis="NCF, 1 Jan to 31 Dec 2025",
            income_months=12,
            income_to=date(2025, 12, 31),
            noi=3_900_000,
            ncf=3_600_000,
            underwritten_dscr=1.44,
            underwritten_noi=4_400_000,
            occupancy=0.83,
            ltv=0.7,
            value=69_428_571,
            value_date=date(2017, 1, 20),
            debt_yield=8.02,
            dollars_short=None,
            sponsor=None,
            tenant="Lone Star Grocers",
            tenant_expires=date(2029, 6, 30),
            worst="moderate",
            signals={"rate_pressure": "moderate"},
            rules=("RP-1",),
        ),
        HistoryRow(
            **BLANK
            | {"as_of": AUGUST, "balance": 48_500_000, "payment_status": "3", "signals": {}}
            | {"special_servicing": True, "dollars_short": 12_500_000, "rules": ()}
        ),
    ),
    events=(
        event("special_in", INTO_SPECIAL, "no", "yes"),
        event(
            "matured",
            "It matured on 15 Mar 2027 and was not repaid.",
            None,
            date(2027, 3, 15),
            dollars=None,
        ),
        event(
            "signal_new",
            "A signal of stress indicator is new: severe.",
            None,
            "severe",
            signal_type="stress_indicator",
        ),
        event("occupancy_down", "Its occupancy fell from 83% to 50%.", 0.83, 0.5),
    ),
)
MONTH = {"since": date(2026, 8, 31), "as_of": date(2026, 9, 30)}
LOANS = (
    ChangedLoan(
        loan_number="LN-20417",
        property_name="Harbor Point Tower",
        property_type="mixed use",
        city="Dallas",
        state="TX",
        lender="Lakeshore Life Insurance",
        deal="Harbor 2017-C1",
        dollars=48_500_000,
        severity_before="moderate",
        severity_after="severe",
        events=(event("special_in", INTO_SPECIAL, "no", "yes", **MONTH),),
    ),
    ChangedLoan(
        loan_number="LN-20418",
        property_name=None,
        property_type=None,
        city=None,
        state=None,
        lender=None,
        deal="Harbor 2017-C1",
        dollars=None,
        severity_before="not in the file",
        severity_after="nothing owed",
        events=(),
    ),
)
CHANGES = Changes(
    since=MONTH["since"],
    until=MONTH["as_of"],
    compared=62,
    dollars=48_500_000,
    loans=1,
    notes=2,
    not_compared=("Harbor 2026-C4",),
    silent=(("Harbor 2019-C2", date(2026, 7, 13)),),
    spans=(DealSpan(title="Harbor 2017-C1", since=date(2026, 8, 12), until=date(2026, 9, 11)),),
    rules_changed=True,
    worse=ChangeCount(kind="worse", loans=1, dollars=48_500_000),
    better=ChangeCount(kind="better", loans=0, dollars=0),
    counts=(ChangeCount(kind="special_in", loans=1, dollars=48_500_000),),
    moves=(
        Move(before="none", after="none", loans=61, dollars=958_300_000),
        Move(before="moderate", after="severe", loans=1, dollars=48_500_000),
    ),
    # Which page it is, the envelope says.
    found=Page(items=LOANS, page=1, per_page=2, total=2),
)
RECORDS = {"history": HISTORY, "changes": CHANGES}
BOTH = pytest.mark.parametrize("variant", ["a", "b"])
EACH = pytest.mark.parametrize("name", RECORDS)


def golden(name, variant):
    return json.loads((HERE / f"{name}.{variant}.json").read_text(encoding="utf-8"))


@BOTH
@EACH
def test_a_record_is_encoded_to_exactly_its_golden(name, variant):
    assert encode(RECORDS[name], variant) == golden(name, variant)


@BOTH
@EACH
def test_a_golden_is_decoded_to_its_record(name, variant):
    assert decode(type(RECORDS[name]), golden(name, variant), "/v1") == RECORDS[name]


@pytest.mark.parametrize("kind", OVER_TIME)
def test_every_field_of_a_record_is_on_the_wire(kind):
    there = {one.name for one in OVER_TIME[kind]} | {one.name for one in INSIDE.get(kind, ())}
    assert there - {"stage"} == set(kind.model_fields)


def at(payload, path):
    """What holds the last key of a path."""
    *way, last = path
    for step in way:
        payload = payload[step]
    return payload, last


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("history", ("loan_number",)),
        ("history", ("rows",)),
        ("history", ("events",)),
        ("history", ("rows", 0, "as_of")),
        ("history", ("events", 0, "kind")),
        ("history", ("events", 0, "sentence")),
        ("changes", ("until",)),
        ("changes", ("worse",)),
        ("changes", ("better", "loans")),
        ("changes", ("counts",)),
        ("changes", ("notes",)),
        ("changes", ("silent",)),
        ("changes", ("spans", 0, "until")),
        ("changes", ("moves", 1, "dollars")),
        ("changes", ("changed_loans",)),
        ("changes", ("changed_loans", 0, "events")),
        ("changes", ("changed_loans", 1, "severity_after")),
    ],
)
def test_what_an_answer_cannot_be_without_is_never_taken_for_nothing(name, path):
    for absent in (True, False):
        sent = golden(name, "a")
        held, last = at(sent, path)
        if absent:
            del held[last]
        else:
            held[last] = None
        with pytest.raises(BadPayload, match=r"^/v1"):
            decode(type(RECORDS[name]), sent, "/v1")


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("history", ("rows", 0, "special_servicing"), "no"),
        ("history", ("rows", 0, "signals"), ["severe"]),
        ("history", ("rows", 0, "signals"), {"rate_pressure": 3}),
        ("history", ("rows", 0, "rules"), "RP-1"),
        ("history", ("rows", 0, "rules"), [1]),
        ("history", ("rows", 0, "as_of"), "June"),
        ("history", ("missing",), ["July"]),
        ("history", ("missing",), "2026-07-13"),
        ("history", ("events", 3, "before"), True),
        ("history", ("events", 3, "before"), {"x": 1}),
        ("history", ("events", 0), "special_in"),
        ("changes", ("rules_changed",), 1),
        ("changes", ("not_compared",), [None]),
        ("changes", ("changed_loans",), {}),
        ("changes", ("worse",), []),
        ("changes", ("silent",), {}),
        ("changes", ("silent",), ["Harbor 2019-C2"]),
        ("changes", ("silent",), [{"deal": "Harbor 2019-C2", "as_of": "July"}]),
        ("changes", ("compared",), "62"),
    ],
)
def test_a_value_of_another_type_is_refused(name, path, value):
    sent = golden(name, "a")
    held, last = at(sent, path)
    held[last] = value
    with pytest.raises(BadPayload, match=r"^/v1"):
        decode(type(RECORDS[name]), sent, "/v1")


@EACH
def test_keys_that_a_later_version_adds_are_no_error(name):
    sent = golden(name, "a") | {"later": 1}
    assert decode(type(RECORDS[name]), sent, "/v1") == RECORDS[name]


text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12).filter(lambda t: len(t) != 10)
day = st.dates()
either = st.none() | day | text | st.floats(-1e12, 1e12)
dollars = st.none() | st.integers(-(10**15), 10**15)
events = st.builds(
    Event,
    kind=st.sampled_from([kind.name for kind in EVENT_KINDS]),
    as_of=day,
    since=day,
    signal_type=st.none() | text,
    before=either,
    after=either,
    dollars=dollars,
    sentence=text,
)
_OF_TYPE = {
    "date | None": st.none() | day,
    "date": day,
    "str | None": st.none() | text,
    "str": text,
    "int | None": dollars,
    "float | None": st.none() | st.floats(-1e6, 1e6),
    "bool | None": st.none() | st.booleans(),
}
_SPECIAL = {
    "signals": st.dictionaries(text, text, max_size=2),
    "rules": st.lists(text, max_size=2).map(tuple),
    "worst": st.sampled_from([None, "low", "critical"]),
}


def typed(annotation):
    return getattr(annotation, "__name__", "") if isinstance(annotation, type) else str(annotation)


rows = st.builds(
    HistoryRow,
    **{
        name: _SPECIAL[name]
        if name in _SPECIAL
        else _OF_TYPE[typed(spec.annotation).replace("datetime.", "")]
        for name, spec in HistoryRow.model_fields.items()
    },
)
loans = st.builds(
    ChangedLoan,
    loan_number=text,
    property_name=st.none() | text,
    property_type=st.sampled_from([None, "office", "mixed use"]),
    city=st.none() | text,
    state=st.none() | text,
    lender=st.none() | text,
    deal=text,
    dollars=dollars,
    severity_before=st.sampled_from(SIDES),
    severity_after=st.sampled_from(SIDES),
    events=st.lists(events, max_size=2).map(tuple),
)
histories = st.builds(
    LoanHistory,
    loan_number=text,
    property_name=st.none() | text,
    source=text,
    title=text,
    rows=st.lists(rows, max_size=2).map(tuple),
    events=st.lists(events, max_size=2).map(tuple),
    missing=st.lists(day, max_size=2).map(tuple),
)


@pytest.mark.parametrize("variant", ["a", "b"])
@given(record=histories | loans | events | rows)
def test_what_is_encoded_and_sent_as_json_is_decoded_to_the_same_record(variant, record):
    sent = json.loads(json.dumps(encode(record, variant), allow_nan=False))
    assert decode(type(record), sent, "/v1") == record
