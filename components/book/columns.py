"""What the columns of a tape are taken for, what is asked of them, and how that is changed."""

from typing import Final

import streamlit as st

from components.book import tape
from components.frame import states
from components.kit import tables, text
from components.kit.card import card
from components.kit.formatting import MISSING, count, percent, score
from services.contract.facts import FACT
from services.tapes import LEFT_OUT, Choice, ColumnSeen, Seen, answers_of, known

_COLUMN: Final = "book column"
_FIELD: Final = "book field"
_READ: Final = "book reading"
_ANSWER: Final = "book answer"
_AS_OF: Final = "book as of"
_NUMBER: Final = "book number"
_KEPT: Final = "keep it under its own name"
_LEFT: Final = "leave it out"


def understood() -> None:
    """Before a tape is there: which kinds are known, and which columns are found in any."""
    fields, left, right = sorted(map(_label, known().units)), *st.columns(2, gap="small")
    with left, card(title := "Tapes that are known", level=2):
        tables.plain([{"Kind": one.title} for one in known().dialects], title)
    with right, card(f"Columns that are found in any tape: {len(fields)}", level=2):
        text.sentence("; ".join(fields))


def asked(seen: Seen) -> None:
    """What must be said before the tape can be loaded."""
    if not seen.asks:
        return
    with card(f"To say before it can be loaded: {count(len(seen.asks))}", level=2):
        for one in seen.columns:
            if one.ask and one.taken:
                _ask(one)
        if not seen.numbered:
            st.multiselect(
                "Columns that tell loans apart",
                [one.name for one in seen.columns],
                format_func=text.line,
                key=_NUMBER,
                on_change=_numbered,
            )
        if seen.as_of is None:
            st.date_input(
                "Day of the figures", value=None, format="YYYY-MM-DD", key=_AS_OF, on_change=_dated
            )
        if not seen.balanced:
            states.nothing("No column is taken for a balance or an amount: change one below.")


def _ask(one: ColumnSeen) -> None:
    text.sentence(f"{one.name} ({', '.join(one.examples)}): {one.ask}.")
    key = f"{_ANSWER} {one.name}"
    st.segmented_control(
        text.label(f"{one.name} is read as"),
        one.answers,
        format_func=text.label,
        key=key,
        on_change=_answered,
        args=(one.name, key),
    )


def _answered(name: str, key: str) -> None:
    if said := st.session_state[key]:
        tape.here().say(name, Choice(read=said))


def _numbered() -> None:
    tape.here().numbered(tuple(st.session_state[_NUMBER]))


def _dated() -> None:
    tape.here().dated(st.session_state[_AS_OF])


def table(seen: Seen) -> None:
    """Every column with what it is taken for, how sure that is, and what became of its cells."""
    taken = sum(one.taken and not one.ask for one in seen.columns)
    with card(
        f"Columns: {count(taken)} of {count(len(seen.columns))} need no word of yours", level=2
    ):
        rows = [
            {
                "Column": one.name,
                "Is": said(one),
                "Read as": how(one),
                "Sure": score(one.confidence),
                "Because": one.ask or one.why,
                "Read": count(one.parsed),
                "Empty": count(one.empty),
                "Rejected": count(one.unread),
                "Examples": " | ".join(one.examples) or MISSING,
            }
            for one in seen.columns
        ]
        figures = ("Sure", "Read", "Empty", "Rejected")
        tables.plain(rows, "Columns of the tape", figures=figures, scrolls=True)
        text.caption(
            f"{percent(100 * seen.mapped, 0)} of the columns that hold something are known. One "
            "that is not sure is kept as text, not taken for the field with the question mark."
        )
        _change(seen)


def said(one: ColumnSeen) -> str:
    """What a column is taken for, in words."""
    if one.field is None:
        return "kept" if one.taken else "kept as text?"
    return _label(one.field) + ("" if one.taken else "?")


def _label(name: str) -> str:
    return FACT[name].label if name in FACT else name.replace("_", " ").capitalize()


def how(one: ColumnSeen) -> str:
    """How its cells are read, in words."""
    scale = "" if one.scale == "dollars" else one.scale
    return ", ".join(filter(None, (one.unit.replace("_", " "), one.reading, scale)))


def _change(seen: Seen) -> None:
    by_name = {one.name: one for one in seen.columns}
    if st.session_state.get(_COLUMN) not in by_name:
        st.session_state.pop(_COLUMN, None)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        name = st.selectbox(
            "Change a column",
            list(by_name),
            index=None,
            format_func=text.line,
            placeholder="Choose a column",
            key=_COLUMN,
            width=300,
        )
        if name is None:
            return
        one = by_name[name]
        fields = ["", LEFT_OUT, *sorted(known().units, key=_label)]
        words = {"": _KEPT, LEFT_OUT: _LEFT}
        st.selectbox(
            "It is",
            fields,
            index=fields.index(one.field or ""),
            format_func=lambda field: text.line(words.get(field) or _label(field)),
            key=f"{_FIELD} {name}",
            on_change=_chosen,
            args=(name,),
            width=300,
        )
        answers = answers_of(one.unit)
        if answers:
            st.selectbox(
                "It is read as",
                answers,
                index=answers.index(one.reading) if one.reading in answers else None,
                format_func=text.line,
                key=f"{_READ} {name} {one.unit}",
                on_change=_reread,
                args=(name, one.unit),
                width=220,
            )


def _chosen(name: str) -> None:
    tape.here().is_field(name, st.session_state[f"{_FIELD} {name}"])


def _reread(name: str, unit: str) -> None:
    if read := st.session_state[f"{_READ} {name} {unit}"]:
        tape.here().say(name, Choice(read=read))
