"""The memo of a loan on its page: notes are chosen, its pages shown, and files taken away."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from components.frame import address, exports, recording, session, visitor
from components.kit import file_name, text
from components.kit.formatting import count, day
from components.memo import paper, word
from components.memo.document import Memo
from services.contract.desk import Note, Subject
from services.contract.errors import DeskUnavailable
from services.contract.records import LoanDetail

#: Session key of what was made, with what it was asked for.
_READY: Final = "memo_ready"
_LONGEST: Final = 80


def offered() -> bool:
    """Whether whoever is here may have a memo: all of a loan, to be taken away."""
    return not (exports.why_not() or recording.refusal())


def panel(loan: LoanDetail) -> None:
    """A button that opens on the memo; the view of the page has the field `memo`."""
    if not offered():
        return
    opened = st.popover(
        "Memo", icon=":material/description:", help="For a committee", **address.widget("memo")
    )
    if opened.open:
        with opened:
            _opened(loan)


def _opened(loan: LoanDetail) -> None:
    chosen = _chosen(loan)
    asked = (
        session.analytics().snapshot().snapshot_id,
        loan.loan_number,
        tuple((one.note_id, one.version) for one in chosen),
    )
    if st.button("Make the memo", icon=":material/description:", key="make_memo"):
        st.session_state[_READY] = (asked, _made(loan, chosen))
    ready = st.session_state.get(_READY)
    if not ready or ready[0] != asked:
        text.caption("Two to four pages and a table of sources; each figure says where it stands.")
        return
    pdf, found, pictures = ready[1]
    shown = f"memo of loan {loan.loan_number}"
    stem, of = file_name.stem("memo", loan.loan_number), exports.origin()
    with st.container(horizontal=True):
        exports.report(f"{stem}.pdf", "PDF", lambda: pdf, shown, "PDF", of)
        exports.report(f"{stem}.docx", "DOCX", lambda: word.of_one(found), shown, "DOCX", of)
    shown_pages(pictures, f"Memo of loan {loan.loan_number}")


def _chosen(loan: LoanDetail) -> Sequence[Note]:
    """The notes that are to be printed."""
    subject = Subject(source=session.label(), kind="loan", name=loan.loan_number)
    try:
        notes = visitor.desk().notes_of(subject)
    except DeskUnavailable as error:
        text.notice("warning", f"{error}. The memo is made without notes.", "edit_off")
        return ()
    if not notes:
        return ()
    by_id = {one.note_id: one for one in notes}

    called = {
        one.note_id: f"{one.author}, {day(one.written_at)}: {one.body[:_LONGEST]}" for one in notes
    }
    picked = st.multiselect(
        "Notes to print",
        list(by_id),
        format_func=lambda note_id: text.line(called[note_id]),
        key="memo_notes",
    )
    return [by_id[one] for one in picked if one in by_id]


def _made(loan: LoanDetail, notes: Sequence[Note]) -> tuple[bytes, Memo, list[bytes]]:
    from components.memo.contents import memo

    found = memo(session.source(), session.analytics(), loan, notes)
    data = paper.of_one(found)
    return paper.pdf(data), found, paper.preview(data)


def shown_pages(pictures: Sequence[bytes], what: str) -> None:
    """Pages as they will be printed."""
    for at, one in enumerate(pictures, 1):
        st.image(one, caption=text.label(f"{what}, page {at} of {count(len(pictures))}"))
