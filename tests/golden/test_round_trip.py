"""What is encoded comes back the same in either variant; and only one file knows the spellings."""

import json
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.contract.records import (
    ChainElement,
    Edge,
    Entity,
    GraphPath,
    GraphResult,
    Hub,
    Loan,
    LoanDetail,
    OwnershipChain,
    Signal,
    SignalComponent,
)
from services.contract.wire import decode, encode

ROOT = Path(__file__).parents[2]

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
#: Canonical words: lower case, single spaces.
words = st.lists(st.text(string.ascii_lowercase, min_size=1, max_size=6), min_size=1, max_size=3)
word = st.none() | words.map(" ".join)
score = st.none() | st.floats(0, 1)
dollars = st.none() | st.integers(-(10**15), 10**15)
percent = st.none() | st.floats(-1e6, 1e6)
day = st.none() | st.dates()
plain = st.none() | st.booleans() | st.integers(-9, 9) | text
#: Extension keys that neither variant has.
more = st.dictionaries(text.map("x_{}".format), plain | st.lists(plain, max_size=2), max_size=2)

loan_fields = {
    "loan_number": text,
    "book_value": dollars,
    "interest_rate": percent,
    "property_type": word,
    "property_city": st.none() | text,
    "property_state": st.none() | text,
    "lender_normalized": st.none() | text,
    "maturity_date": day,
    "rate_pressure": word,
    "confidence_tier": word,
}
elements = st.builds(ChainElement, entity_name=text, role=word, confidence=score, extra=more)
edges = st.builds(
    Edge, source=text, target=text, relation=st.none() | text, confidence=score, extra=more
)
components = st.builds(
    SignalComponent,
    rule=text,
    severity=text,
    value=percent,
    limit=percent,
    title=st.none() | text,
    rule_version=st.none() | st.integers(0, 99),
    limits_version=st.none() | st.integers(0, 99),
)
records = st.one_of(
    st.builds(Loan, **loan_fields, extra=more),
    st.builds(LoanDetail, **loan_fields, origination_date=day, extended=more),
    st.builds(
        Entity,
        entity_name=text,
        confidence=score,
        confidence_tier=word,
        related_loan_count=st.none() | st.integers(0, 10**9),
        extra=more,
    ),
    st.builds(
        OwnershipChain,
        loan_number=text,
        chain=st.lists(elements, max_size=3).map(tuple),
        confidence_tier=word,
        extra=more,
    ),
    st.builds(
        GraphResult,
        root=text,
        depth_reached=st.none() | st.integers(0, 6),
        paths=st.lists(
            st.builds(GraphPath, edges=st.lists(edges, max_size=3).map(tuple)), max_size=3
        ).map(tuple),
        stopped_by=st.sampled_from([None, "depth", "budget"]),
        next_level_edges=st.none() | st.integers(0, 10**9),
        hubs=st.lists(st.builds(Hub, name=text, edges=st.integers(0, 99)), max_size=2).map(tuple),
        extra=more,
    ),
    st.builds(
        Signal,
        signal_type=text,
        severity=word,
        loan_number=text,
        property_state=st.none() | text,
        property_city=st.none() | text,
        property_type=word,
        book_value=dollars,
        maturity_date=day,
        lender_normalized=st.none() | text,
        description=st.none() | text,
        components=st.lists(components, max_size=2).map(tuple),
        extra=more,
    ),
)


@pytest.mark.parametrize("variant", ["a", "b"])
@given(record=records)
def test_what_is_encoded_and_sent_as_json_is_decoded_to_the_same_record(variant, record):
    sent = json.loads(json.dumps(encode(record, variant), allow_nan=False))
    assert decode(type(record), sent, "/v1") == record


#: Names that no other file has a use of its own for, unlike `city`, `state` or `lender`.
ONLY_IN_B = ("confidence_score", "linked_loans")


def test_what_only_variant_b_calls_a_field_stands_in_one_file():
    # D1
    files = [ROOT / "app.py"]
    for folder in ("services", "components", "pages"):
        files += [path for path in (ROOT / folder).rglob("*") if path.suffix in {".py", ".sql"}]
    found = {
        path.relative_to(ROOT).as_posix()
        for path in files
        if any(name in path.read_text(encoding="utf-8") for name in ONLY_IN_B)
    }
    assert found == {"services/contract/wire.py"}
