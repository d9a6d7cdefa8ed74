"""The Calendar page: what it counts, lists and gives away, and what its address says."""

import re
from datetime import date

import pytest
import vobject

from services.contract.loan_dates import DateFilter
from services.desk.sqlite import SqliteDesk
from services.importers import demo
from services.sign_in import local_user
from tests.pages.ledger_reading import addresses, ledgers
from tests.pages.screen import links, matrix, said
from tests.publishing import load_once

PAGE = "pages/calendar.py"
#: As of 30 September 2026.
YEAR = {"date_after": date(2026, 9, 29), "date_before": date(2027, 10, 1)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("calendar") / "store"
    load_once(folder, [demo.portfolio(loans=300)])
    return folder


def test_the_page_begins_with_the_year_ahead(page, source):
    app = page()
    totals = source.date_totals(DateFilter(**YEAR))
    assert f"Dates from 30 Sep 2026 to 30 Sep 2027: all loans: {totals.dates:,}" in said(app)
    rows = ledgers(app)["Dates of loans"]
    first = source.dates_found(DateFilter(**YEAR)).items
    assert len(rows) == len(first) == 25
    assert addresses(app, "Dates of loans")[0] == f"loan?loan_number={first[0].loan_number}"
    before = source.date_totals(DateFilter(date_before=date(2026, 9, 30)))
    assert f"{before.dates} dates lie before 30 Sep 2026" in links(app)


def test_filters_stand_in_the_address_and_hold(page, source):
    app = page(kind="lease expires", date_before="2030-01-01", state="TX")
    query = DateFilter(kind=("lease expires",), date_before=date(2030, 1, 1), state=("TX",))
    totals = source.date_totals(query)
    assert totals.dates
    assert f"in Texas: {totals.dates}" in said(app)
    assert {row["Date"] for row in ledgers(app)["Dates of loans"]} == {"Lease expires"}


def test_a_month_shows_each_day_and_leads_to_its_dates(page, source):
    app = page(look="month", month="2026-12")
    sent = matrix(app)
    assert [row["label"] for row in sent["rows"]] == [
        "30 Nov", "7 Dec", "14 Dec", "21 Dec", "28 Dec",
    ]  # fmt: skip
    # 1 December 2026 is a Tuesday.
    assert sent["rows"][0]["cells"][0] is None
    days = [cell for row in sent["rows"] for cell in row["cells"] if cell]
    assert len(days) == 31
    counts = source.date_counts(
        DateFilter(date_after=date(2026, 11, 30), date_before=date(2027, 1, 1)), "day"
    )
    assert sum(cell[2] is not None for cell in days) == len(counts)
    last = days[-1]
    assert last[2] == "date_after=2026-12-30&date_before=2027-01-01"
    assert last[0].startswith(f"31 · {counts[-1].dates:,} date")


def test_an_address_at_fault_is_one_sentence(page):
    assert "'month' is '2026-13'" in said(page(look="month", month="2026-13"))


def test_the_file_for_calendar_programs_has_every_date_of_the_list(pressed, page, source):
    page(kind="lease expires", date_before="2030-01-01")
    (name,) = (name for name in pressed if name.endswith(".ics"))
    calendar = vobject.readOne(pressed[name]().decode())
    query = DateFilter(kind=("lease expires",), date_before=date(2030, 1, 1))
    found = sorted(event.dtstart.value for event in calendar.vevent_list)
    wanted = [
        one.day for one in source.dates_found(query.model_copy(update={"per_page": 100})).items
    ]
    total = source.date_totals(query).dates
    assert len(found) == total
    assert found[: len(wanted)] == wanted


def button_of(app, label):
    return next((one for one in app.button if one.label == label), None)


def test_a_feed_is_made_shown_once_and_revoked(folder, visit, tmp_path):
    desk = SqliteDesk(tmp_path / "desk.sqlite")
    me = local_user().name
    app = visit(PAGE, folder, {}, desk=str(tmp_path / "desk.sqlite"))
    assert button_of(app, "Revoke the address") is None
    button_of(app, "Make an address").click().run()
    assert not app.exception
    address = app.code[0].value
    token = re.fullmatch(r".*/feeds/([A-Za-z0-9_-]{43})\.ics", address)[1]
    assert desk.feed_by(token).owner == me
    app.run()
    assert not app.code
    assert token not in str(app.main)
    assert "calendar feed made" not in app.session_state
    button_of(app, "Make a new address").click().run()
    assert desk.feed_by(token) is None
    assert desk.feed_of(me)
    button_of(app, "Revoke the address").click().run()
    assert desk.feed_of(me) is None
    assert "its address opens nothing now" in said(app)
    assert button_of(app, "Make an address")
