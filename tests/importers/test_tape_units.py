"""Figures, dates and units of tapes, found out from the whole column, or asked (D205)."""

from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.importers.tape.days import day
from services.importers.tape.figures import figures
from services.importers.tape.units import Hints, found, read_all


def one(raw, mark="."):
    """What a figure says; None where it is none."""
    amount = figures([raw], mark).amount[0]
    return None if np.isnan(amount) else float(amount)


@pytest.mark.parametrize(
    ("raw", "amount"),
    [
        ("$27,000,000", 27_000_000),
        (" 414,191 ".strip(), 414_191),
        ("(1,000)", -1_000),
        ("($1,000.50)", -1_000.5),
        ("-5", -5),
        ("5-", -5),
        ("\u22125", -5),
        ("$-5", -5),
        ("12.4M", 12_400_000),
        ("12.4 MM", 12_400_000),
        ("850k", 850_000),
        ("1.2bn", 1_200_000_000),
        ("USD 1,000", 1_000),
        ("1,000 USD", 1_000),
        ("1.2E+07", 12_000_000),
        (".5", 0.5),
        ("1'234'567", 1_234_567),
        ("1 234 567", 1_234_567),
        ("1.51x", 1.51),
        ("5.25 %", 5.25),
        ("250 bps", 250),
        ("10,000 SF", 10_000),
        ("", None),
        ("12,34", None),
        ("1,2345", None),
        ("1.2.3", None),
        ("(5", None),
        ("5)", None),
        ("five", None),
        ("=1+1", None),
        ("=A1*2", None),
        ("1e999", None),
        ("$", None),
        ("9" * 50, None),
    ],
)
def test_a_figure(raw, amount):
    assert one(raw) == amount


@pytest.mark.parametrize(("raw", "amount"), [("1.234,56", 1234.56), ("1234,5", 1234.5), ("7", 7)])
def test_a_figure_with_a_comma_before_its_decimals(raw, amount):
    assert one(raw, ",") == amount
    assert one(raw) in {None, 7}


@given(st.decimals(min_value=0, max_value=10**12, places=2), st.sampled_from(["", "K", "M"]))
def test_dollars_are_rounded_as_decimals_are(amount, suffix):
    scale = {"": 1, "K": 1_000, "M": 1_000_000}[suffix]
    if amount * scale >= 10**13:
        return
    values, wrong = read_all("money", "1,234.56", "dollars", [f"${amount:,}{suffix}"])
    assert wrong == {}
    assert values == [int((amount * scale).to_integral_value("ROUND_HALF_EVEN"))]


@pytest.mark.parametrize(
    ("raw", "order", "meant"),
    [
        ("4/25/17", "M/D/Y", date(2017, 4, 25)),
        ("25/4/17", "D/M/Y", date(2017, 4, 25)),
        ("04-05-2027", "M/D/Y", date(2027, 4, 5)),
        ("04.05.2027", "D/M/Y", date(2027, 5, 4)),
        ("2027-03-15", None, date(2027, 3, 15)),
        ("2027-03-15 00:00:00", None, date(2027, 3, 15)),
        ("2027-03-15T00:00:00Z", None, date(2027, 3, 15)),
        ("4/25/2017 12:00 AM", None, date(2017, 4, 25)),
        ("20171120.0", None, date(2017, 11, 20)),
        ("42736", None, date(2017, 1, 1)),
        ("42736.0", None, date(2017, 1, 1)),
        ("15-Mar-27", None, date(2027, 3, 15)),
        ("15 March 2027", None, date(2027, 3, 15)),
        ("Mar 15, 2027", None, date(2027, 3, 15)),
        ("6/6/2030", None, date(2030, 6, 6)),
        ("1/1/85", None, date(1985, 1, 1)),
    ],
)
def test_a_date(raw, order, meant):
    assert day(raw, order) == meant


@pytest.mark.parametrize(
    "raw", ["3/4/2027", "2/30/2027", "13/13/2027", "2027", "1234", "20171320", "soon", "99999"]
)
def test_what_is_no_date_or_may_be_two(raw):
    with pytest.raises(ValueError, match=r"is no d|may be two"):
        day(raw, None)


def told(unit, texts, **options):
    """How a column of these texts is read, each once."""
    times = np.ones(len(texts), np.int64)
    return found(unit, texts, times, Hints(**options))


@pytest.mark.parametrize(
    ("unit", "texts", "reading"),
    [
        ("date", ["3/4/2027", "3/25/2027"], "M/D/Y"),
        ("date", ["3/4/2027", "25/3/2027"], "D/M/Y"),
        ("date", ["2027-03-04", "44562"], ""),
        ("rate", ["5.25", "6"], "percent"),
        ("rate", ["0.0525", "0.06"], "fraction"),
        ("rate", ["5.25 %", "0.06 %"], "percent"),
        ("rate", ["5.25%", "0.0525"], "fraction"),  # one says its unit by itself
        ("margin", ["250", "175"], "bp"),
        ("margin", ["2.5", "1.75"], "percent"),
        ("share", ["65", "71.5", "100"], "percent"),
        ("share", ["0.65", "1"], "fraction"),
        ("ltv", ["0.667", "1.1"], "fraction"),
        ("money", ["1,234", "5,000.5"], "1,234.56"),
        ("money", ["1.234", "5.000,5"], "1.234,56"),
        ("money", ["1,234"], "1,234.56"),
    ],
)
def test_a_reading_is_found_out_from_the_whole_column(unit, texts, reading):
    assert told(unit, texts).reading == reading


@pytest.mark.parametrize(
    ("unit", "texts", "ask"),
    [
        ("date", ["3/4/2027", "5/6/2027"], "no date of the file tells"),
        ("date", ["3/25/2027", "25/3/2027"], "some of its dates have the month first"),
        ("rate", ["5.25", "0.0525"], "do not tell their unit"),
        ("rate", ["0.4"], "do not tell their unit"),
        ("share", ["65", "0.65"], "do not tell their unit"),
        ("money", ["5,000.5", "5.000,5"], "others a comma"),
    ],
)
def test_what_a_column_does_not_tell_is_asked(unit, texts, ask):
    found_out = told(unit, texts)
    assert found_out.reading is None
    assert ask in found_out.ask


def test_dates_that_tell_nothing_go_by_the_other_dates_of_the_file():
    assert told("date", ["3/4/2027"], order="D/M/Y").reading == "D/M/Y"


def test_where_a_semicolon_stands_between_cells_a_comma_is_asked():
    assert told("money", ["1,234"], delimiter=";").reading is None
    assert told("money", ["1,234"], delimiter=";", mark=".").reading == "1,234.56"
    assert told("money", ["1,234"], delimiter=";", mark=",").reading == "1.234,56"


def test_one_cell_in_a_hundred_is_a_cell_that_does_not_read():
    texts = [f"{rate / 100:.2f}" for rate in range(400, 599)] + ["0.0525"]
    assert told("rate", texts).reading == "percent"
    values, wrong = read_all("rate", "percent", "dollars", texts)
    assert wrong == {199: "is too small in a column of rates read as percent"}
    assert values[:2] == [4.0, 4.01]


def test_rates_are_percent_figures_whatever_they_were_written_in():
    assert read_all("rate", "fraction", "dollars", ["0.0525", "5.25 %", "525 bps"])[0] == [5.25] * 3
    assert read_all("share", "percent", "dollars", ["65", "65%"])[0] == [0.65, 0.65]
    assert read_all("share", "fraction", "dollars", ["65"])[1] == {
        0: "is no share, read as fraction"
    }
    assert read_all("money", "1,234.56", "millions", ["1.5"])[0] == [1_500_000]
    assert read_all("ratio", "", "dollars", ["1.51x"])[0] == [1.51]


@pytest.mark.parametrize(
    ("unit", "raw", "value"),
    [
        ("state", "Arizona", "AZ"),
        ("state", "AZ", "AZ"),
        ("state", "VARIOUS", None),
        ("state", "D0", "D0"),
        ("zip", "2134.0", "02134"),
        ("zip", "10001-1234", "10001-1234"),
        ("number", "123.0", "123"),
        ("number", "00123", "00123"),
        ("party", "0", None),
        ("party", "Jo\N{LATIN SMALL LETTER E WITH ACUTE}  &  Co", "Jo\xe9 & Co"),
        ("flag", "Yes", True),
        ("property_type", "Self Storage", "self storage"),
        ("property_type", "Igloo", "igloo"),
        ("payment_status", "3.0", "3"),
        ("payment_status", "90+ days", "3"),
        ("rate_type", "Floating", "2"),
    ],
)
def test_words(unit, raw, value):
    assert read_all(unit, "", "dollars", [raw]) == ([value], {})


@pytest.mark.parametrize(
    ("unit", "raw"),
    [("state", "12"), ("zip", "x"), ("flag", "maybe"), ("text", "=HYPERLINK(1)"),
     ("text", "a\x00b"), ("party", "x" * 301), ("payment_status", "fine"), ("number", "=1")],
)  # fmt: skip
def test_words_that_do_not_read(unit, raw):
    values, wrong = read_all(unit, "", "dollars", [raw])
    assert values == [None]
    assert list(wrong) == [0]
