"""Dates of loans as a file that calendar programs read (RFC 5545).

Names of loans, properties and tenants come from outside: they are text, on one line, and whatever
else a calendar could say (alarms, attendees, addresses) is said of none.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Final

from services.contract.loan_dates import DATE_KIND, LoanDate

MIME: Final = "text/calendar"
#: Dates of one file: calendar programs read more of them slowly, or not at all.
MOST_DATES: Final = 5_000
_ZERO: Final = datetime(2020, 1, 1, tzinfo=UTC)
_LONGEST: Final = 200


def written(
    dates: Iterable[LoanDate], *, title: str, as_of: date, built_at: datetime, link: str = ""
) -> bytes:
    """All-day events, one a date. The same date keeps its UID from file to file, also where its day
    moves; its SEQUENCE grows with each snapshot, which `built_at` dates.

    `link` is the address of the dashboard, where its users can reach one.
    """
    from icalendar import Calendar, Event

    stamp = built_at.astimezone(UTC).replace(microsecond=0)
    calendar = Calendar.new(
        method="PUBLISH",
        name=_plain(title),
        prodid="-//Credit Atlas//Calendar//EN",
        uid=_uid("calendar", title),
        last_modified=stamp,
        refresh_interval=timedelta(hours=12),
    )
    seen: Counter[tuple[str, ...]] = Counter()
    for one in dates:
        of = (one.loan_number, one.kind, one.tenant or "")
        seen[of] += 1
        event = Event.new(
            uid=_uid(*of, str(seen[of])),
            stamp=stamp,
            sequence=int((stamp - _ZERO).total_seconds()),
            start=one.day,
            end=one.day + timedelta(days=1),
            summary=_summary(one),
            description=_description(one, as_of),
            categories=[DATE_KIND[one.kind].label],
            url=f"{link}/loan?loan_number={_quoted(one.loan_number)}" if link else None,
        )
        event.add("TRANSP", "TRANSPARENT")
        calendar.add_component(event)
    found: bytes = calendar.to_ical()
    return found


def _summary(one: LoanDate) -> str:
    whose = one.property_name or one.loan_number
    what = f"{DATE_KIND[one.kind].label}: {whose}"
    return _plain(f"{what}, {one.tenant}" if one.tenant else what)


def _description(one: LoanDate, as_of: date) -> str:
    said = [
        f"Loan {one.loan_number}",
        f"Book value ${one.dollars:,}",
        f"Lender {one.lender}" if one.lender else "",
        f"{one.square_feet:,} square feet" if one.square_feet else "",
        f"Worst signal {one.worst}" if one.worst else "No signal",
        f"{DATE_KIND[one.kind].help}.",
        f"As of {as_of.isoformat()}.",
    ]
    return "\n".join(_plain(line) for line in said if line)


def _uid(*of: str) -> str:
    # By lengths, so that no two lists of words make one text.
    text = "".join(f"{len(word)}:{word}" for word in of)
    return f"{hashlib.sha256(text.encode(errors='replace')).hexdigest()[:32]}@credit-atlas"


def _quoted(number: str) -> str:
    from urllib.parse import quote

    return quote(number, safe="", errors="replace")


def _plain(text: str) -> str:
    """On one line, of letters that can be printed."""
    folded = " ".join(text.split())
    return "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in folded)[
        :_LONGEST
    ]
