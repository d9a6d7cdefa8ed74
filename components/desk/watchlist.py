"""The watchlist: what a user watches, worst first, and what changed since it was last seen."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Final, Literal

import streamlit as st

from components.desk import facts, writing
from components.desk.changes import Events, events, of_watch, shown
from components.frame import address, exports, paging, session, visitor
from components.frame.ledger import Column, Ticks, ledger
from components.frame.routes import ENTITY, LOAN, WATCHLIST
from components.frame.switch import switch
from components.kit.formatting import MISSING, count, day
from services.contract.columns import COLUMN
from services.contract.desk import Seen, Subject, Watch
from services.contract.facts import FACT
from services.contract.queries import Exact, Query, YesNo
from services.contract.records import Page

_LABELS: Final = {"loans": "Loans", "parties": "Parties", "searches": "Saved searches"}
Show = Literal["loans", "parties", "searches"]
_TICKED: Final = "watchlist ticked"
_MOST_TICKED: Final = 100


class WatchlistView(Query):
    """What the address of the watchlist says."""

    show: Show = "loans"
    #: Only what changed since it was last seen.
    changed: YesNo = False
    #: The list that another user shares, by the id of its saved search; null is one's own.
    of: Exact | None = None

    slicing: ClassVar[frozenset[str]] = Query.slicing | {"show"}


@dataclass(frozen=True, slots=True)
class Row:
    """A watched loan or party."""

    watch: Watch
    #: As the snapshot has it; None where it is gone from the book.
    now: Seen | None
    changes: tuple[str, ...]

    @property
    def name(self) -> str:
        """Loan number or name of the party."""
        return self.watch.subject.name

    def fact(self, name: str) -> str:
        """A compared fact as it is written, as last seen where the book no longer holds it."""
        found = self.now or self.watch.seen
        return shown(name, found.facts.get(name)) if found else MISSING


def asked() -> WatchlistView | None:
    """What the address asks for; None when it is at fault."""
    return address.asked(WatchlistView, WATCHLIST, paging.check)


def watched(view: WatchlistView) -> tuple[Watch, ...]:
    """What this user watches of this source, or who shares the list that is asked for.

    Raises DeskUnavailable; NotFound for a list that is not shared any more.
    """
    if view.of:
        return visitor.desk().shared_watches(view.of)
    return visitor.desk().watched(visitor.user(), session.label())


def switches(view: WatchlistView, watches: tuple[Watch, ...], searches: int) -> WatchlistView:
    """Loans, parties or saved searches, all or only what changed; the view as it is chosen."""
    loans = sum(one.subject.kind == "loan" for one in watches)
    counts: dict[Show, int] = {"loans": loans, "parties": len(watches) - loans}
    if view.of is None:
        counts["searches"] = searches
    if st.session_state["show"] not in counts:
        st.session_state["show"] = "loans"
    with st.container(horizontal=True, vertical_alignment="center"):
        options: dict[str, str] = {
            show: f"{_LABELS[show]} {count(found)}" for show, found in counts.items()
        }
        switch("show", "What is watched", options, address.first_page)
        st.toggle("Only what changed", **address.widget("changed", address.first_page))
    return address.settled(view, {"of": view.of}, WatchlistView.model_fields.keys() - {"of"})


def rows(watches: tuple[Watch, ...], view: WatchlistView) -> list[Row]:
    """Loans by worst signal and urgency (D61), parties by book value; what is gone comes last.

    Raises MirrorMissing.
    """
    kind = "loan" if view.show == "loans" else "entity"
    by_name = {one.subject.name: one for one in watches if one.subject.kind == kind}
    now = (facts.of_loans if kind == "loan" else facts.of_parties)(list(by_name))
    ordered = (*now, *sorted(by_name.keys() - now.keys()))
    known = events(by_name.values())
    listed = [_row(by_name[name], now.get(name), known) for name in ordered]
    return [row for row in listed if row.changes or not view.changed]


def _row(watch: Watch, now: Seen | None, known: Events) -> Row:
    return Row(watch, now, of_watch(watch, now, known))


def listed(page: Page[Row], view: WatchlistView) -> None:
    """A page of it: one row a loan or party, which leads to it."""
    ledger(
        _LOANS if view.show == "loans" else _PARTIES,
        page.items,
        opens=lambda row: (LOAN if view.show == "loans" else ENTITY, row.name),
        caption=f"Watched {view.show}",
        ticks=None if view.of else Ticks(ticked(), _tick, _MOST_TICKED, "Select"),
    )
    paging.bar(page)


def ticked() -> tuple[str, ...]:
    """Names of the rows that are ticked."""
    found: tuple[str, ...] = st.session_state.get(_TICKED, ())
    return found


def _tick(names: tuple[str, ...]) -> None:
    st.session_state[_TICKED] = names


def actions(found: list[Row], *, off: bool) -> None:
    """Marks all, or the ticked ones, as seen, and ends to watch the ticked ones."""
    chosen = [row for row in found if row.name in ticked()]
    marked = chosen or found
    new = {row.watch.subject: row.now for row in marked if row.now}
    said = f"Mark {count(len(chosen))} as seen" if chosen else "Mark all as seen"
    see = partial(_see, new)
    writing.button(said, see, icon="visibility", key="mark seen", off=off or not new)
    if chosen:
        said, end = f"Stop watching {count(len(chosen))}", partial(_unwatch, chosen)
        writing.button(said, end, icon="visibility_off", key="stop watching", off=off)


def _see(seen: dict[Subject, Seen]) -> None:
    visitor.desk().see(visitor.user(), seen)
    _tick(())


def _unwatch(chosen: list[Row]) -> None:
    for row in chosen:
        visitor.desk().unwatch(visitor.user(), row.watch.subject)
    _tick(())
    writing.done(f"Not watched any more: {count(len(chosen))}.", partial(_watch_again, chosen))


def _watch_again(chosen: list[Row]) -> None:
    for row in chosen:
        visitor.desk("watch").watch(visitor.user(), row.watch.subject, row.watch.seen)


def export(view: WatchlistView) -> exports.Export:
    """All rows of it, in the order on screen; figures raw, changes in words."""
    import pyarrow as pa

    names = facts.COMPARED if view.show == "loans" else _PARTY_FACTS
    found = rows(watched(view), view)
    values = [
        {
            "name": row.name,
            **{name: row.now.facts.get(name) if row.now else None for name in names},
            "changed_since_last_seen": "; ".join(row.changes),
            "last_seen_as_of": row.watch.seen.as_of.isoformat() if row.watch.seen else None,
        }
        for row in found
    ]
    table = pa.Table.from_pylist(values)
    known = {name: COLUMN[name] for name in names if name in COLUMN}
    return exports.of_table(f"watched {view.show}", sentence(view), exports.origin(), table, known)


def sentence(view: WatchlistView) -> str:
    """What is listed, in words."""
    order = "worst first" if view.show == "loans" else "largest first"
    what = "changed since last seen, " if view.changed else ""
    return f"Watched {view.show}, {what}{order}"


def none(view: WatchlistView) -> str:
    """What it means that no row is listed."""
    if view.changed:
        return f"Nothing has changed in the {view.show} that are watched."
    return f"No {view.show} are watched."


def _fact(name: str, label: str, *, figure: bool = False, short: bool = False) -> Column[Row]:
    return Column(name, label, lambda row: row.fact(name), figure=figure, short=short)


def _last_seen(row: Row) -> str:
    return day(row.watch.seen.as_of) if row.watch.seen else "not compared yet"


_CHANGES: Final[tuple[Column[Row], ...]] = (
    Column(
        "changes",
        "Changed since last seen",
        lambda row: "; ".join(row.changes) or MISSING,
        help="By whose list it is, against the day under Last seen: what happened to a loan as on "
        "Changes; where no filing of that day is kept, and of parties, what reads otherwise now.",
    ),
    Column("last_seen", "Last seen", _last_seen, help="As-of day of the snapshot last seen."),
)
_PARTY_FACTS: Final = ("worst_severity", "loans", "book_value", "owners")
_LOANS: Final[tuple[Column[Row], ...]] = (
    Column("name", "Loan", lambda row: row.name),
    _fact("worst_severity", COLUMN["worst_severity"].label, short=True),
    *_CHANGES,
    *(
        _fact(name, COLUMN[name].label, figure=COLUMN[name].is_figure)
        for name in ("book_value", "dscr", "maturity_date", "payment_status", "sponsor")
    ),
)
_PARTIES: Final[tuple[Column[Row], ...]] = (
    Column("name", "Party", lambda row: row.name),
    _fact("worst_severity", COLUMN["worst_severity"].label, short=True),
    *_CHANGES,
    _fact("loans", "Loans", figure=True),
    _fact("book_value", FACT["book_value"].label, figure=True),
    _fact("owners", "Owners above"),
)
