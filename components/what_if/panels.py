"""What a scenario makes of the loans: headline figures, moves, and the same by property type."""

from functools import partial
from typing import Final

import streamlit as st

from components.frame import api_call, exports, links, session, states
from components.frame.routes import WHAT_IF
from components.kit import actions, tables, text
from components.kit.card import card, opening
from components.kit.fields import label
from components.kit.figure import Figure, row
from components.kit.formatting import count, loan_count, money, share, words
from components.loans.filters import sentence
from components.what_if import files, floaters, moves
from components.what_if.view import Number, WhatIfView, measure_switch
from components.what_if.wording import convention, out_of_reach, said
from services.contract.aggregates import Share
from services.contract.errors import NotRescored
from services.contract.scenario import WhatIf
from services.contract.source import Scenarios
from services.contract.vocabulary import SEVERE_OR_WORSE

#: Rates in bp of what is shown where nothing is typed.
_SHOWN: Final = 100
#: Where to begin: what they are called, and their parameters.
_EXAMPLES: Final = (
    ("Rates +100 bp", {"rates": "100"}),
    ("NOI −10%", {"noi": "-10"}),
    ("Cap rate +50 bp", {"cap": "50"}),
    ("All three", {"rates": "100", "noi": "-10", "cap": "50"}),
    ("Rates −100 against +100 bp", {"rates": "-100", "rates_2": "100"}),
)


def of_our_rules() -> None:
    """Raises NotRescored where a scenario cannot be asked: over an API, with its mirror or without
    (D44).
    """
    if session.workspace().kind == "api":
        raise NotRescored.of_source()


def examples(view: WhatIfView) -> None:
    """Where nothing is typed: scenarios to begin with, and what the first of them does."""
    states.nothing(
        "Type a scenario: rates, NOI or cap rate against what they are. Or begin with one of these:"
    )
    with st.container(horizontal=True):
        for title, params in _EXAMPLES:
            links.link(WHAT_IF, title, "arrow_forward", view.loans().params() | params)
    shown = view.model_copy(update={"rates": _SHOWN})
    found = session.ask(Scenarios.what_if, view.loans(), shown.scenarios["1"])
    if found.loans:
        _one(shown, "1", found, f"For example: {said(shown.scenarios['1']).lower()}", wide=True)
        text.caption(convention(session.analytics().snapshot()))
    else:
        no_loan()


def no_loan() -> None:
    """What stands in place of figures where the filters leave no loan."""
    states.no_match("No loan matches these filters.", WHAT_IF)


def results(view: WhatIfView) -> dict[Number, WhatIf]:
    """Each scenario with its figures; side by side where there are two."""
    of_our_rules()
    query = view.loans()
    found = {
        number: session.ask(Scenarios.what_if, query, scenario)
        for number, scenario in view.scenarios.items()
    }
    first = next(iter(found.values()))
    strong, rest = f"{sentence(query)}: {count(first.loans)}", f"· {money(first.book_value)}"
    with actions.beside(strong, rest, key="scenarios"):
        measure_switch()
    if len(found) == 1:
        ((number, one),) = found.items()
        _one(view, number, one, _heading(view, number), wide=True)
    else:
        for column, (number, one) in zip(st.columns(2, gap="small"), found.items(), strict=True):
            with column:
                _one(view, number, one, _heading(view, number), wide=False)
    text.caption(convention(session.analytics().snapshot()))
    api_call.frames(*(view.frame(number) for number in found))
    return found


def _heading(view: WhatIfView, number: Number) -> str:
    return f"Scenario {number}: {said(view.scenarios[number])}"


def _one(view: WhatIfView, number: Number, found: WhatIf, heading: str, *, wide: bool) -> None:
    scenario = view.scenarios[number]
    with card(heading, level=2):
        _headline(found)
        left, right = st.columns([1.1, 1], gap="medium") if wide else (st.container(),) * 2
        with left:
            moves.crossed(found, view, number)
        with right:
            moves.table(found, view, number)
        if missed := out_of_reach(found):
            text.caption(missed)
        opening(
            "Dollars short by horizon",
            f"by_horizon_{number}",
            partial(moves.horizons, found.by_horizon, number),
        )
        said = f"Scenario {number} by property type"
        opening(
            "By property type",
            f"by_type_{number}",
            lambda: tables.sheet(_by_type(found), said),
        )
        if found.floating:
            title = "Floating loans"
            opening(title, f"floating_{number}", partial(floaters.table, found.floating, number))
        moved = [one for one in found.moves if one.before != one.after]
        if moved:
            exports.download(
                partial(files.moves, view.loans(), scenario),
                len(found.moves),
                f"credit-atlas-what-if-moves{'' if number == '1' else '-2'}",
            )


def _headline(found: WhatIf) -> None:
    """Who gets worse, who gets better, how much is severe or critical, what is short."""
    before, after = found.short_before, found.short_after
    row(
        [
            Figure(
                "Get worse",
                money(found.worse.book_value),
                _part(found.worse, found),
            ),
            Figure(
                "Get better",
                money(found.better.book_value),
                _part(found.better, found),
            ),
            Figure(
                "Severe or critical",
                money(_severe(found, "after")),
                f"now {money(_severe(found, 'before'))}",
                "Book value of the loans whose worst signal is severe or critical.",
            ),
            Figure(
                label("dollars_short"),
                money(after.dollars),
                f"{loan_count(after.loans)}; now {money(before.dollars)} in {count(before.loans)}",
                "Balance at maturity less the largest new loan, over the loans that are short.",
            ),
        ]
    )


def _part(part: Share, found: WhatIf) -> str:
    return f"{loan_count(part.loans)}; {share(part.book_value, found.book_value)} of book value"


def _severe(found: WhatIf, side: str) -> int:
    return sum(one.book_value for one in found.moves if getattr(one, side) in SEVERE_OR_WORSE)


def _by_type(found: WhatIf) -> list[dict[str, str]]:
    return [
        {
            "Property type": words(one.property_type),
            "Loans": count(one.loans),
            "Book value": money(one.book_value),
            "Get worse": money(one.worse.book_value),
            "Loans worse": count(one.worse.loans),
            "Get better": money(one.better.book_value),
            "Short now": money(one.short_before),
            "Short then": money(one.short_after),
        }
        for one in found.by_type
    ]
