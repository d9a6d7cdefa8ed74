"""Saved searches on the watchlist: what each found when it was saved, and what it finds now."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import streamlit as st

from components.desk import found, writing
from components.frame import links, paging, search, session, states, visitor
from components.frame.ledger import Column, Ticks, ledger
from components.frame.routes import WATCHLIST
from components.kit import actions, text
from components.kit.formatting import MISSING, count, day, loan_count, money
from services.contract.desk import SavedSearch, SearchFound
from services.contract.errors import DeskUnavailable, Forbidden, InvalidRequest, NotFound
from services.contract.queries import Query
from services.contract.users import name_key

_TICKED: Final = "searches ticked"
_MOST_TICKED: Final = 100


@dataclass(frozen=True, slots=True)
class Row:
    """A saved search."""

    saved: SavedSearch
    #: What it asks for, in words.
    sentence: str
    #: What it finds in the snapshot of this run; None where it cannot be asked any more.
    now: SearchFound | None

    @property
    def is_mine(self) -> bool:
        """Whether this user saved it, and may change it."""
        return name_key(self.saved.owner) == name_key(visitor.user())

    @property
    def label(self) -> str:
        """Its name, with that of the owner where that is another user."""
        return self.saved.name if self.is_mine else f"{self.saved.name}, of {self.saved.owner}"

    @property
    def changed(self) -> bool:
        """Whether it finds another number of records, or other dollars, than when it was saved."""
        then = self.saved.found
        return self.now is None or (self.now.records, self.now.book_value) != (
            then.records,
            then.book_value,
        )


def saved() -> tuple[SavedSearch, ...]:
    """Own searches and those that others share. Raises DeskUnavailable."""
    return visitor.desk().searches(visitor.user(), session.label())


def whose(searches: Sequence[SavedSearch], search_id: str | None) -> None:
    """Above a list that is shared: its name, whose it is, and the way back to one's own."""
    shared = next((one for one in searches if one.search_id == search_id), None)
    if shared:
        text.lead(f"{shared.name}, shared by {shared.owner}", "You read it; its owner changes it.")
        links.link(WATCHLIST, "To the saved searches", "arrow_back", {"show": "searches"})


def panel(searches: Sequence[SavedSearch], view: Query, *, changed: bool, off: bool) -> None:
    """A page of them, and what can be done with those that are ticked.

    `changed` leaves out what is as it was. Raises MirrorMissing.
    """
    # Counted for the page on screen only, unless it takes all counts to know what stands there.
    listed = [one for one in searches if not changed or _row(one).changed]
    page = paging.page_of(listed, view)
    rows = [_row(one) for one in page.items]
    said = f"Saved searches{', changed since' if changed else ''}: {count(page.total)}"
    with actions.beside(said, key="searches"):
        _actions([row for row in rows if row.is_mine and row.label in _ticked()], off=off)
    none = (
        "Every search finds what it found when it was saved."
        if changed
        else "No search is saved yet: press Save this search on Loans or Signals."
    )
    if states.has_rows(page, WATCHLIST, view, empty=none):
        ledger(
            _COLUMNS,
            rows,
            opens=lambda row: search.saved_at(row.saved),
            named=lambda row: row.label,
            caption="Saved searches",
            ticks=Ticks(_ticked(), _tick, _MOST_TICKED, "Select"),
        )
        paging.bar(page)


def _row(one: SavedSearch) -> Row:
    if one.search.page == "watchlist":
        sentence = f"Loans and parties that {one.owner} watches"
    elif one.search.page == "set":
        sentence = f"A set of {loan_count(one.found.records)}, as they were when it was saved"
    else:
        try:
            sentence = found.asked(one.search)[1]
        except InvalidRequest as error:
            return Row(one, f"Cannot be asked any more: {error}", None)
    try:
        return Row(one, sentence, found.now(one))
    except Forbidden:
        return Row(one, f"{sentence}; your licence does not cover these", None)
    except (InvalidRequest, NotFound, DeskUnavailable):
        return Row(one, sentence, None)


def _ticked() -> tuple[str, ...]:
    ticked: tuple[str, ...] = st.session_state.get(_TICKED, ())
    return ticked


def _tick(names: tuple[str, ...]) -> None:
    st.session_state[_TICKED] = names


def _actions(chosen: list[Row], *, off: bool) -> None:
    """What can be done with own searches that are ticked."""
    if not chosen:
        return
    searches = [row.saved for row in chosen if row.saved.search.page != "watchlist"]
    share = not all(one.shared for one in searches)
    writing.button("Counts are seen", partial(_see, chosen), icon="visibility", off=off)
    if searches:
        said, icon = ("Share", "group_add") if share else ("Stop sharing", "group_off")
        denied = share and not visitor.who().may("share")
        writing.button(said, partial(_share, searches, share), icon=icon, off=off or denied)
    gone = f"Delete {count(len(chosen))}"
    writing.button(gone, partial(_delete, chosen), icon="delete", off=off)


def _see(chosen: list[Row]) -> None:
    for row in chosen:
        if row.now:
            one = row.saved
            visitor.desk("watch").change_search(
                visitor.user(), one.search_id, one.version, found=row.now
            )
    _tick(())


def _share(chosen: list[SavedSearch], share: bool) -> None:
    for one in chosen:
        visitor.desk("share" if share else "watch").change_search(
            visitor.user(), one.search_id, one.version, shared=share
        )
    _tick(())


def _delete(chosen: list[Row]) -> None:
    for row in chosen:
        one = row.saved
        visitor.desk("watch").delete_search(visitor.user(), one.search_id, one.version)
    _tick(())
    searches = [row.saved for row in chosen]
    # Of a set or a shared list the number does not come back, by which links lead to it.
    whole = all(one.search.page in search.ADDRESSES for one in searches)
    undo = partial(_save_again, searches) if whole else None
    writing.done(f"Saved searches deleted: {count(len(chosen))}.", undo)


def _save_again(searches: list[SavedSearch]) -> None:
    for one in searches:
        desk = visitor.desk("share" if one.shared else "watch")
        desk.save_search(visitor.user(), one.name, one.search, one.found, shared=one.shared)


def _more(row: Row) -> str:
    """How many more or fewer there are now than when it was saved."""
    if row.now is None:
        return MISSING
    more = row.now.records - row.saved.found.records
    return f"{'+' if more > 0 else '−'}{count(abs(more))}" if more else "unchanged"


def _whose(row: Row) -> str:
    owner = "you" if row.is_mine else row.saved.owner
    return f"{owner}, shared" if row.saved.shared else owner


_COLUMNS: Final[tuple[Column[Row], ...]] = (
    Column("name", "Saved search", lambda row: row.saved.name),
    Column("records", "Now", lambda row: count(row.now.records if row.now else None), figure=True),
    Column("then", "Then", lambda row: count(row.saved.found.records), figure=True,
           help="When it was saved, or its counts were last marked as seen."),
    Column("change", "Change", _more, figure=True),
    Column("as_of", "Then, as of", lambda row: day(row.saved.found.as_of)),
    Column("book_value", "Book value now",
           lambda row: money(row.now.book_value if row.now else None), figure=True),
    Column("book_value_then", "Book value then", lambda row: money(row.saved.found.book_value),
           figure=True),
    Column("sentence", "Asks for", lambda row: row.sentence),
    Column("owner", "Whose", _whose),
)  # fmt: skip
