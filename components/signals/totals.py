"""Totals of a result of signals, in one row over the map."""

from components.frame import session
from components.kit.fields import label
from components.kit.figure import Figure, row
from components.kit.formatting import count, loan_count, money, share
from services.contract.signal_filter import SignalFilter
from services.contract.source import Screens


def strip(query: SignalFilter) -> None:
    """Loans behind the signals, their dollars, and how much of them has a confirmed owner."""
    found = session.ask(Screens.signal_totals, query.without("order").at(1))
    confirmed = sum(one.book_value for one in found.by_tier if one.word == "confirmed")
    probable = sum(one.book_value for one in found.by_tier if one.word == "probable")
    short = money(found.dollars_short)
    row(
        [
            Figure("Loans", count(found.loans), f"of {count(found.of_loans)}", _OF),
            Figure("Signals", count(found.signals), f"on {loan_count(found.loans)}"),
            Figure(
                label("book_value"),
                money(found.book_value),
                f"{share(found.book_value, found.of_book_value)} of {money(found.of_book_value)}",
                _OF,
            ),
            Figure(label("dollars_short"), short, "at refinance, of these loans"),
            Figure(
                "On confirmed chains",
                share(confirmed, found.book_value),
                f"{share(confirmed + probable, found.book_value)} probable or better",
                "Share of their book value whose ownership chain is resolved with a confidence of "
                "0.90 or better at its weakest link.",
            ),
        ],
        slim=True,
    )


_OF = "All loans that meet the same conditions on loans, with such signals or without."
