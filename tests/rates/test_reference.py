from datetime import date
from pathlib import Path

import numpy as np
import pytest

from services.contract.errors import ImportRefused
from services.rates.reference import Quote, ReferenceRates, tenor_of

SHARED = Path(__file__).parents[2].parent / "shared/data/rates/reference_rates.csv"

TABLE = """date,series,percent
2026-01-30,DGS10,4.26
2026-08-31,DGS10,4.75
2026-08-31,DGS7,4.62
2026-01-30,DGS5,3.79
2026-08-31,DGS5,4.49
"""


@pytest.fixture
def read(tmp_path):
    def reading(text: str | bytes) -> ReferenceRates:
        path = tmp_path / "my rates.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return ReferenceRates.read(path)

    return reading


def test_the_packaged_table_is_the_published_one_from_the_first_day_of_each_series():
    if not SHARED.exists():
        pytest.skip("the shared data folder is not on this machine")
    packaged = ReferenceRates.packaged()
    assert packaged.origin == "packaged"
    first = {}
    for quote in packaged.quotes:
        first[quote.series] = min(quote.date, first.get(quote.series, quote.date))
    published = ReferenceRates.read(SHARED).quotes
    assert packaged.quotes == tuple(
        quote for quote in published if quote.series in first and quote.date >= first[quote.series]
    )


def test_the_packaged_table_holds_the_latest_quotes():
    rates = ReferenceRates.packaged()
    assert rates.on("DGS5", date(2026, 9, 30)) == Quote("DGS5", date(2026, 9, 10), 4.75)
    assert rates.on("SOFR", date(2026, 9, 30)) == Quote("SOFR", date(2026, 9, 11), 3.62)


def test_the_packaged_table_has_all_three_tenors_since_2010_but_for_half_of_2025():
    rates = ReferenceRates.packaged()
    assert rates.refi_base(60, date(2019, 6, 30)) == Quote("DGS5", date(2019, 6, 28), 1.76)
    assert rates.refi_base(84, date(2010, 1, 31)).series == "DGS7"
    assert rates.refi_base(60, date(2025, 7, 31)).series == "DGS5"
    assert rates.refi_base(60, date(2025, 12, 11)) == Quote("DGS10", date(2025, 11, 28), 4.02)
    assert rates.refi_base(60, date(2026, 1, 31)).series == "DGS5"


@pytest.mark.parametrize(
    ("day", "percent"),
    [
        (date(2026, 8, 30), 4.26),
        (date(2026, 8, 31), 4.75),
        (date(2030, 1, 1), 4.75),
        (date(2026, 1, 30), 4.26),
    ],
)
def test_the_newest_quote_not_after_the_day_counts(read, day, percent):
    # D26
    assert read(TABLE).on("DGS10", day).percent == percent


def test_before_the_first_quote_there_is_none(read):
    assert read(TABLE).on("DGS10", date(2026, 1, 29)) is None
    assert read(TABLE).on("DGS7", date(2026, 8, 30)) is None
    assert read(TABLE).on("SOFR", date(2026, 8, 31)) is None


def test_a_series_that_no_table_holds_is_an_error(read):
    with pytest.raises(ValueError, match="no such series: DGS2"):
        read(TABLE).on("DGS2", date(2026, 8, 31))


@pytest.mark.parametrize(
    ("months", "series"),
    [
        (60, "DGS5"),
        (72, "DGS5"),
        (73, "DGS7"),
        (96, "DGS7"),
        (97, "DGS10"),
        (120, "DGS10"),
        (1, "DGS5"),
        (None, "DGS10"),
        (float("nan"), "DGS10"),
        (0, "DGS10"),
        (-12, "DGS10"),
    ],
)
def test_tenor_follows_the_original_term(read, months, series):
    assert tenor_of(months) == series
    assert read(TABLE).refi_base(months, date(2026, 9, 30)).series == series


def test_a_date_without_the_tenor_takes_the_ten_year(read):
    assert read(TABLE).refi_base(84, date(2026, 8, 30)) == Quote("DGS10", date(2026, 1, 30), 4.26)
    assert read(TABLE).refi_base(60, date(2020, 1, 1)) is None


GAP = """date,series,percent
2025-06-30,DGS5,3.79
2025-08-14,DGS10,4.24
2025-08-15,DGS10,4.25
"""


def test_a_tenor_is_not_quoted_45_days_after_its_last_quote(read):
    """A table may go on with the 10-year alone: the 5-year of June is no rate of December."""
    rates = read(GAP)
    still, stale = date(2025, 8, 14), date(2025, 8, 15)
    assert rates.refi_base(60, still) == Quote("DGS5", date(2025, 6, 30), 3.79)
    assert rates.refi_base(60, stale) == Quote("DGS10", stale, 4.25)
    assert set(rates.refi_quotes(still)) == {"DGS5", "DGS10"}
    assert set(rates.refi_quotes(stale)) == {"DGS10"}
    bases = rates.refi_bases(np.array([60.0, 120.0]), stale)
    assert bases.percent().tolist() == [4.25, 4.25]


def test_a_tenor_outlives_a_10_year_that_has_stopped(read):
    rates = read("date,series,percent\n2025-01-31,DGS10,4.58\n2025-06-30,DGS5,3.79\n")
    assert rates.refi_base(60, date(2025, 12, 11)).percent == 3.79


@pytest.mark.parametrize("day", [date(2026, 9, 30), date(2026, 3, 1), date(2020, 1, 1)])
def test_many_terms_at_once_agree_with_one_at_a_time(read, day):
    rates = read(TABLE)
    terms = [None, 0, 1, 60, 72, 73, 84, 96, 97, 120, 360]
    array = np.array([np.nan if term is None else term for term in terms])
    bases = rates.refi_bases(array, day)
    one_by_one = [rates.refi_base(term, day) for term in terms]
    assert [bases.quotes[c] if c >= 0 else None for c in bases.code] == one_by_one
    expected = [np.nan if quote is None else quote.percent for quote in one_by_one]
    np.testing.assert_array_equal(bases.percent(), expected)


def test_the_quotes_in_use_name_their_dates(read):
    quotes = read(TABLE).refi_quotes(date(2026, 8, 30))
    assert quotes == {
        "DGS5": Quote("DGS5", date(2026, 1, 30), 3.79),
        "DGS10": Quote("DGS10", date(2026, 1, 30), 4.26),
    }


def test_a_table_can_key_a_cache(read):
    assert hash(read(TABLE)) == hash(read(TABLE))
    assert read(TABLE) == read(TABLE)


def test_a_mark_from_excel_and_blank_lines_are_read(read):
    text = b"\xef\xbb\xbfDate,Series,Percent\r\n2026-01-30, DGS10 ,4.26\r\n\r\n,,\r\n"
    assert read(text).quotes == (Quote("DGS10", date(2026, 1, 30), 4.26),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: the header is not date,series,percent; name the three columns so."),
        ("day,series,percent\n", "line 1: the header is not date,series,percent"),
        ("date,series,percent\n", "hold no DGS10 row; add the 10-year Treasury"),
        (TABLE + "2026-09-10,DGS1O,4.9\n", "line 7: unknown series 'DGS1O'; did you mean DGS10."),
        (TABLE + "2026-09-10,XYZ,4.9\n", "line 7: unknown series 'XYZ'; known are DGS5, DGS7"),
        (TABLE + "10/09/2026,DGS10,4.9\n", "line 7: '10/09/2026' is not a date such as"),
        (TABLE + "2026-09-10,DGS10,4.9 %\n", "line 7: '4.9 %' is not a percent figure"),
        (TABLE + "2026-09-10,DGS10,\n", "line 7: '' is not a percent figure"),
        (TABLE + "2026-09-10,DGS10,nan\n", "line 7: 'nan' lies outside -5 to 30 percent"),
        (TABLE + "2026-09-10,DGS10,495\n", "line 7: '495' lies outside -5 to 30 percent"),
        (TABLE + "2026-09-10,DGS10\n", "line 7: 2 values where date,series,percent are three"),
        (TABLE + "2026-08-31,DGS10,4.7\n", "line 7: DGS10 of 2026-08-31 is given twice; keep one"),
        (TABLE + '2026-08-31,DGS10,"4.7\n', "not readable as CSV"),
        (b"date,series,percent\n\xff\xfe", "are not UTF-8 text; save the file as CSV UTF-8."),
    ],
)
def test_a_broken_table_is_refused_in_one_sentence(read, text, message):
    with pytest.raises(ImportRefused) as refused:
        read(text)
    assert message in str(refused.value)
    assert str(refused.value).startswith("Reference rates my rates.csv")
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


def test_a_missing_or_unreadable_file_is_refused_by_name_only(tmp_path):
    with pytest.raises(ImportRefused, match=r"Reference rates none\.csv do not read: No such"):
        ReferenceRates.read(tmp_path / "none.csv")
    with pytest.raises(ImportRefused, match="do not read: Is a directory"):
        ReferenceRates.read(tmp_path)


def test_a_huge_file_is_refused_without_reading_all_of_it(read):
    with pytest.raises(ImportRefused, match="exceed 16 MiB"):
        read(b"date,series,percent\n" + b"\n" * (16 * 1024 * 1024))
