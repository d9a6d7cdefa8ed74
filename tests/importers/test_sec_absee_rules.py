"""The rules of the Exhibit 102 importer, and its converters."""

from collections import Counter
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.contract.portfolio import LOANS, PROPERTIES
from services.importers.base import Field, RecordRejected, Row
from services.importers.sec_absee.reading import parents_of
from services.importers.sec_absee.source import filing_rules
from services.importers.values import (
    UNITS,
    amount_value,
    rate_value,
    share_value,
    us_date_value,
    whole_dollars,
    whole_value,
)

SHARED = Path(__file__).parents[3] / "shared/data/sec-absee"


def test_every_element_of_the_schema_is_mapped_or_ignored():
    table = SHARED / "schema/cmbs_elements_from_xsd.csv"
    if not table.exists():
        pytest.skip("the SEC schema is not beside the project")
    rules = filing_rules()
    ruled = {*rules.fields["loan"], *rules.fields["property"], *rules.ignored}
    lines = table.read_text(encoding="utf-8").splitlines()[1:]
    listed = {line.split(",")[0].lstrip("/") for line in lines}
    assert listed - ruled == {"property", "assetData", "assetData/assets"}
    assert ruled <= listed


def test_keys_are_unique_and_never_hide_a_column():
    rules = filing_rules()
    for group, columns in (("loan", LOANS.names), ("property", PROPERTIES.names)):
        fields = rules.fields[group].values()
        assert len({field.key for field in fields}) == len(fields)
        shown = {field.key for field in fields if not field.column}
        assert not shown & set(columns)
    both = [field.key for group in rules.fields.values() for field in group.values()]
    assert len(set(both)) == len(both)


def test_every_code_of_the_schema_has_words():
    table = SHARED / "schema/cmbs_code_lists_from_xsd.csv"
    if not table.exists():
        pytest.skip("the SEC schema is not beside the project")
    rules = filing_rules()
    lists = {
        field.element: set(field.codes or ())
        for group in rules.fields.values()
        for field in group.values()
    }
    elements = SHARED / "schema/cmbs_elements_from_xsd.csv"
    kinds = dict(line.split(",")[:2] for line in elements.read_text().splitlines()[1:])
    for line in table.read_text().splitlines()[1:]:
        _, kind, code, _ = line.split(",")
        for element in [path.lstrip("/") for path, told in kinds.items() if told == kind]:
            assert element == "propertyTypeCode" or code in lists[element], (element, code)


@pytest.mark.parametrize(
    ("unit", "raw"),
    [
        ("date", "2025-12-11"),
        ("date", "02-30-2025"),
        ("date", "13-01-2025"),
        ("date", "01-01-0001"),
        ("date", "١2-01-2025"),
        ("amount", "NaN"),
        ("amount", "1e5"),
        ("amount", "1,000"),
        ("amount", "$5"),
        ("amount", "9" * 16),
        ("amount", "1000000000000000"),
        ("balance", "-0.01"),
        ("rate", "6.055"),
        ("rate", "0.50000001"),
        ("rate", "-0.01"),
        ("share", "92"),
        ("share", "1.01"),
        ("whole", "1.5"),
        ("count", "-1"),
        ("flag", "yes"),
        ("text", "x" * 2001),
    ],
)
def test_a_value_that_does_not_read_says_why(unit, raw):
    with pytest.raises(ValueError, match=r"^(is|has) "):
        UNITS[unit](raw)


def test_values_at_their_bounds_read():
    assert (rate_value("0.5"), rate_value("0"), rate_value("0.04913331")) == (
        Decimal(50),
        Decimal(0),
        Decimal("4.913331"),
    )
    assert (share_value("1.00"), whole_value("60.00"), us_date_value("2-29-2024")) == (
        Decimal(1),
        60,
        date(2024, 2, 29),
    )


@given(st.dates(min_value=date(1800, 1, 1)))
def test_every_date_written_month_first_reads_back(day):
    assert us_date_value(f"{day.month:02d}-{day.day:02d}-{day.year:04d}") == day


@given(st.decimals(-(10**14), 10**14, places=2))
def test_whole_dollars_are_at_most_half_a_dollar_off_and_even_at_half(amount):
    # D16
    dollars = whole_dollars(amount_value(f"{amount:f}"))
    assert abs(dollars - amount) <= Decimal("0.5")
    if abs(dollars - amount) == Decimal("0.5"):
        assert dollars % 2 == 0


@given(st.dictionaries(st.sampled_from("abcdef"), st.lists(st.text(max_size=5), min_size=1)))
def test_every_value_of_a_row_is_mapped_ignored_or_counted(values):
    fields = {name: Field(name, name.upper(), "text", many=True) for name in "ab"}
    unmapped = Counter()
    row = Row("record", values)
    facts = row.facts(fields, unmapped)
    row.close({"c"}, unmapped)
    for name, given_values in values.items():
        if name in "ab":
            kept = [" ".join(one.split()) for one in given_values if one.split()]
            assert facts.get(name.upper(), []) == kept
        else:
            assert unmapped[name] == (0 if name == "c" else len(given_values))


def test_a_strict_value_rejects_the_record_and_another_is_kept_and_counted():
    unmapped = Counter()
    loose = {"x": Field("x", "x", "date")}
    assert Row("asset 1", {"x": ["soon"]}).facts(loose, unmapped) == {"x": "soon"}
    assert unmapped == {"x (unreadable)": 1}
    with pytest.raises(RecordRejected) as caught:
        Row("asset 1", {"x": ["soon"]}).facts({"x": Field("x", "x", "date", strict=True)}, unmapped)
    assert (caught.value.record, caught.value.reason) == (
        "asset 1",
        'x "soon" is not a date written MM-DD-YYYY.',
    )


@pytest.mark.parametrize(
    ("child", "parents"),
    [
        ("4.01", ["4"]),
        ("3-001", ["3"]),
        ("12.1.2", ["12.1", "12"]),
        ("10A-1", ["10A"]),
        ("7", []),
        (".5", []),
        ("", []),
    ],
)
def test_a_childs_number_names_its_parents(child, parents):
    assert parents_of(child) == parents
