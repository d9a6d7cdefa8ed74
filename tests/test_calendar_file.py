"""The calendar file, read again by another library than wrote it."""

from datetime import UTC, date, datetime

import pytest
import vobject

from services.calendar_file import written
from services.contract.loan_dates import LoanDate

BUILT = datetime(2026, 9, 30, 12, 0, tzinfo=UTC)


def a_date(**values):
    given = {
        "day": date(2027, 5, 11), "kind": "maturity", "loan_number": "CA-000001",
        "property_name": "Newark Care Center", "tenant": None, "square_feet": None,
        "dollars": 22_123_764, "property_type": "health care", "city": "Newark", "state": "NJ",
        "lender": "Caldergate", "worst": "severe",
    }  # fmt: skip
    return LoanDate(**given | values)


def lease(tenant, day):
    return a_date(kind="lease expires", tenant=tenant, square_feet=1_306, day=day)


def read(*dates, built_at=BUILT, link=""):
    made = written(
        dates, title="Credit Atlas: all", as_of=date(2026, 9, 30), built_at=built_at, link=link
    )
    assert all(len(line) <= 75 for line in made.split(b"\r\n"))
    calendar = vobject.readOne(made.decode())
    return calendar, list(calendar.contents.get("vevent", []))


def test_a_date_is_an_all_day_event_that_is_published():
    calendar, (event,) = read(a_date(), link="https://atlas.bank.example")
    assert calendar.method.value == "PUBLISH"
    assert event.dtstart.value == date(2027, 5, 11)
    assert event.dtend.value == date(2027, 5, 12)
    assert event.summary.value == "Maturity: Newark Care Center"
    assert event.transp.value == "TRANSPARENT"
    assert event.dtstamp.value == BUILT
    assert event.url.value == "https://atlas.bank.example/loan?loan_number=CA-000001"
    assert event.description.value.splitlines() == [
        "Loan CA-000001",
        "Book value $22,123,764",
        "Lender Caldergate",
        "Worst signal severe",
        "Effective maturity, of loans that must be refinanced.",
        "As of 2026-09-30.",
    ]


def test_a_date_that_moves_keeps_its_uid_and_its_sequence_grows():
    _, (before,) = read(a_date())
    _, (after,) = read(a_date(day=date(2028, 5, 11)), built_at=datetime(2026, 10, 31, tzinfo=UTC))
    assert before.uid.value == after.uid.value
    assert int(after.sequence.value) > int(before.sequence.value)


def test_no_two_dates_of_a_file_share_a_uid():
    dates = [
        a_date(), a_date(kind="legal maturity"), a_date(loan_number="CA-000002"),
        lease("Ada", date(2027, 1, 1)), lease("Ada", date(2028, 1, 1)),
        lease("Bo", date(2027, 1, 1)),
    ]  # fmt: skip
    _, events = read(*dates)
    assert len({one.uid.value for one in events}) == len(dates) == len(events)


HOSTILE = [
    "x\r\nBEGIN:VALARM\r\nACTION:AUDIO\r\nEND:VALARM",
    "x\nATTENDEE:mailto:a@evil.example",
    'a;b,c\\n:d"e',
    "<img src=//evil.example>",
    "\x00\x07\x1b[2J\u202eevil",
    "x\u2028END:VEVENT",
    "\ud800",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_name_from_outside_is_text(text):
    calendar, (event,) = read(
        a_date(property_name=text, loan_number=f"CA {text}", lender=text, tenant=text,
               kind="lease expires")
    )  # fmt: skip
    assert set(event.contents) <= {
        "uid", "dtstamp", "dtstart", "dtend", "summary", "description", "sequence", "categories",
        "transp",
    }  # fmt: skip
    assert set(calendar.contents) <= {
        "prodid", "version", "method", "vevent", "name", "x-wr-calname", "uid", "last-modified",
        "refresh-interval",
    }  # fmt: skip
    assert "\n" not in event.summary.value
    assert all(one.isprintable() for one in event.summary.value)


def test_a_calendar_without_dates_is_one():
    calendar, events = read()
    assert calendar.method.value == "PUBLISH"
    assert events == []
