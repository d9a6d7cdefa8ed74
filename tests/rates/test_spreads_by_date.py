"""Spreads have a date: which one is used, when it fits, and what a bad file is told (D157)."""

from datetime import date
from importlib.resources import files

import pytest

from services.contract.errors import SettingsInvalid
from services.rates.spreads import Sizings

PACKAGED = files("services.rates").joinpath("spreads.toml").read_text("utf-8")
#: Typed by hand: date -> spread of an office, a hotel, a warehouse and a type without a row.
BY_DATE = {
    date(2015, 9, 30): (215, 265, 240, 240),
    date(2017, 9, 30): (215, 265, 240, 240),
    date(2025, 12, 31): (245, 300, 175, 225),
}
KINDS = ("office", "lodging", "warehouse", "other")


@pytest.mark.parametrize(
    ("as_of", "used", "months_off", "fits"),
    [
        (date(2012, 1, 1), date(2015, 9, 30), 44, False),
        (date(2016, 9, 29), date(2015, 9, 30), 11, True),
        (date(2016, 9, 30), date(2017, 9, 30), 12, True),  # 366 days and 365
        (date(2019, 3, 30), date(2017, 9, 30), 18, True),  # 18 months to the day
        (date(2019, 3, 31), date(2017, 9, 30), 18, False),
        (date(2019, 12, 11), date(2017, 9, 30), 26, False),
        (date(2021, 12, 13), date(2025, 12, 31), 48, False),
        (date(2023, 12, 11), date(2025, 12, 31), 24, False),
        (date(2024, 6, 30), date(2025, 12, 31), 18, False),
        (date(2024, 7, 1), date(2025, 12, 31), 17, True),
        (date(2025, 12, 31), date(2025, 12, 31), 0, True),
        (date(2026, 9, 30), date(2025, 12, 31), 9, True),
    ],
)
def test_the_spreads_nearest_to_the_as_of_date_are_used(as_of, used, months_off, fits):
    found = Sizings.packaged().on(as_of)
    assert found.used is not None
    assert (found.used.day, found.used.months_off, found.used.fits) == (used, months_off, fits)
    assert tuple(found.of(kind).spread_bp for kind in KINDS) == BY_DATE[used]


def test_every_other_figure_is_of_no_date():
    now, then = (Sizings.packaged().on(date(year, 12, 31)) for year in (2025, 2017))
    for kind in KINDS:
        one, other = now.of(kind), then.of(kind)
        assert (one.min_dscr, one.max_ltv) == (other.min_dscr, other.max_ltv)
        assert one.min_debt_yield_pct == other.min_debt_yield_pct


def test_each_date_says_what_it_was_fitted_to():
    said = [Sizings.packaged().on(day).used.fitted for day in BY_DATE]
    assert said == [
        "64 loans of CGCMT 2015-GC33 for the level, property types as in 2017",
        "94 loans of UBS 2017-C1 and WFCM 2017-C42",
        "97 new loans of public filings of 2025 and 2026",
    ]


def test_a_file_without_dates_serves_every_day_and_nothing_is_said(tmp_path):
    # As files were before spreads had dates.
    text = PACKAGED.split("[spreads.", 1)[0]
    lines = [one for one in text.splitlines() if not one.startswith(("spreads_of", "fitted"))]
    path = tmp_path / "house.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    own = Sizings.read(path)
    for year in (1999, 2017, 2040):
        assert own.on(date(year, 1, 1)) is own
    assert own.used is None
    assert own.of("office").spread_bp == 245


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("spreads_of = 2025-12-31", "", "spreads_of is missing"),
        ("spreads_of = 2025-12-31", 'spreads_of = "soon"', "must be a date such as"),
        ("[spreads.2017-09-30]", '[spreads."last year"]', "is not a date such as"),
        ("[spreads.2017-09-30]", "[spreads.2025-12-31]", "is the date of spreads_of too"),
        ('fitted = "94 loans', 'fitted = ""\n# "', "fitted is missing"),
        ("default = 240\n", "", "default is missing"),
        ("default = 240\n", "default = 99_000\n", "must lie from -500 to 3000"),
        ('"office" = 215', '"offices" = 215', "offices is not known"),
        ('"office" = 215', '"office" = "215"', "must be a number"),
    ],
)
def test_a_bad_date_is_refused_with_its_line(tmp_path, old, new, reason):
    assert old in PACKAGED
    path = tmp_path / "house.toml"
    path.write_text(PACKAGED.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(SettingsInvalid, match=r"Spreads house\.toml, line \d+: .*") as refused:
        Sizings.read(path)
    assert reason in str(refused.value)
