"""A pack for a committee: the memos of a result of loans, with a table of them in front."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import streamlit as st

from components.frame import exports, session
from components.kit import fields, file_name, severity, text
from components.kit.formatting import MISSING, count, money, multiple, percent
from components.memo import making, paper, trace, word
from components.memo.contents import memo
from components.memo.document import NOTHING, Memo, Said, Table
from services.contract.citations import LoanCitations
from services.contract.loan_filter import LoanFilter
from services.contract.source import Analytics, CreditSource

#: Loans of one pack: more than a committee reads in one sitting.
MOST: Final = 50
_COLUMNS: Final = (
    *("property_name", "book_value", "dscr", "ltv"),
    *("dollars_short", "worst_severity"),
)
#: Session key of the pack that is ready, with what it was asked for.
_READY: Final = "pack_ready"
#: Hears which part of all is done.
Progress = Callable[[float], object]


@dataclass(frozen=True, slots=True)
class Pack:
    """The memos of loans, in the order of the list."""

    title: str
    cover: Table
    memos: Sequence[Memo]


def made(
    reads: CreditSource, source: Analytics, query: LoanFilter, shown: str, progress: Progress
) -> Pack:
    """The memos of the first loans of a result, as many as a pack holds; `shown` says which."""
    asked = query.model_copy(update={"page": 1, "per_page": MOST})
    found = source.loans_found(asked, _COLUMNS)
    memos, rows = [], []
    for at, one in enumerate(found.items, 1):
        memos.append(memo(reads, source, reads.loan(one.loan_number)))
        values = one.values
        ltv = values["ltv"]
        known = (
            (values["book_value"], money(values["book_value"])),
            (values["dscr"], multiple(values["dscr"])),
            (ltv, percent(None if ltv is None else 100 * ltv, 1)),
            (values["dollars_short"], money(values["dollars_short"])),
            (values["worst_severity"], severity.label(values["worst_severity"])),
        )
        rows.append(
            [
                Said(one.loan_number, (at,)),
                Said(str(values["property_name"] or MISSING), (at,)),
                *(NOTHING if raw is None else Said(said, (at,)) for raw, said in known),
            ]
        )
        progress(at / len(found.items))
    more = f", the first {count(MOST)} of {count(found.total)}" if found.total > MOST else ""
    heads = ("Loan", *(fields.label(name) for name in _COLUMNS[:-1]), "Worst signal")
    table = Table(heads, rows, (2, 3, 4, 5), (1.4, 2, 1, 0.7, 0.8, 1, 1))
    return Pack(f"Committee pack: {shown}{more}", table, memos)


def button(query: LoanFilter, shown: str, key: str = "pack") -> None:
    """A button that makes the pack, with its progress, and then those that give it."""
    if not making.offered():
        return
    asked = (session.analytics().snapshot().snapshot_id, query.at(1))
    help_text = f"The memos of these loans for a committee, at most {MOST}."
    if st.button("Pack", icon=":material/folder_copy:", help=text.label(help_text), key=key):
        bar = st.progress(0.0, text="Making memos")
        source = session.analytics()
        found = made(session.source(), source, query, shown, lambda part: bar.progress(0.9 * part))
        st.session_state[_READY] = (asked, found, pdf(found))
        bar.empty()
    ready = st.session_state.get(_READY)
    if ready and ready[0] == asked:
        stem, of = file_name.stem("pack", shown), exports.origin()
        _, found, file = ready
        exports.report(f"{stem}.pdf", "PDF", lambda: file, found.title, "PDF", of)
        exports.report(f"{stem}.docx", "DOCX", lambda: docx(found), found.title, "DOCX", of)
        listed = sources(found)
        rows = sum(len(one.citations) for one in listed)
        exports.download(partial(trace.export, listed, found.title), rows, f"{stem}-sources")


def sources(found: Pack) -> tuple[LoanCitations, ...]:
    """What each memo of a pack rests on, loan by loan."""
    return tuple(
        LoanCitations(loan_number=row[0].text, citations=tuple(one.sources))
        for row, one in zip(found.cover.rows, found.memos, strict=True)
    )


def pdf(found: Pack) -> bytes:
    """The pack on paper."""
    return paper.pdf(paper.of_pack(found.title, found.cover, found.memos))


def docx(found: Pack) -> bytes:
    """The pack to be edited."""
    return word.of_pack(found.title, found.cover, found.memos)
