"""Two tables of records for tests/browser/test_ledger.py: one to order and tick, one of names."""

import streamlit as st

from components.frame.ledger import Act, Column, Ticks, ledger
from components.frame.routes import ENTITY, LOAN
from tests.hostile import WORDS

LOANS = [(f"CA-{at:06}", 1_000 * (at * 7 % 40), "abcdefgh"[at % 8]) for at in range(40)]
COLUMNS = (
    Column("loan_number", "Loan", lambda loan: loan[0]),
    Column("lender", "Lender", lambda loan: f"Lender {loan[2]}", order=True),
    Column("note", "Note", lambda loan: f"What is to be said of {loan[0]} " * 3),
    Column(
        "book_value", "Book value, USD", lambda loan: f"{loan[1]:,}", figure=True, order=True,
        short=True, help="Carrying amount.",
    ),
    Column("severity", "Severity", lambda loan: f"◆ {loan[2]}", short=True),
)  # fmt: skip
NAMES = [*WORDS, "\u202egnp.exe", "long" * 2500]

order = st.query_params.get("order")
ticked = [one for one in st.query_params.get("compare", "").split(",") if one]


def on_order(chosen):
    if chosen:
        st.query_params["order"] = chosen
    else:
        st.query_params.pop("order", None)


def on_tick(chosen):
    st.query_params["compare"] = ",".join(chosen)


by = {"book_value": lambda loan: loan[1], "lender": lambda loan: (loan[2], loan[0])}
shown = LOANS
if order:
    shown = sorted(LOANS, key=by[order.lstrip("-")], reverse=order.startswith("-"))
ledger(
    COLUMNS,
    shown,
    opens=lambda loan: (LOAN, loan[0]),
    key="loans",
    caption="Loans",
    order=order,
    on_order=on_order,
    ticks=Ticks(ticked, on_tick, most=3),
    act=Act("Watch", lambda name: st.query_params.update(watched=name)),
)
ledger(
    (Column("name", "Name", str), Column("again", "Again", str, short=True, help=WORDS[3])),
    NAMES,
    opens=lambda name: (ENTITY, name),
    key="names",
    caption="Names",
    height=400,
)
with st.container(key="page-end"):
    st.html("<span></span>")
