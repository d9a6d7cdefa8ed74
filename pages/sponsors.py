"""Sponsors: families of loans by exposure, distressed loans, lenders exposed and dollars short."""

from functools import partial

from components.families import filters, ranking
from components.frame import api_call, exports, paging, routes, session, shell, states
from components.kit import actions, text
from components.kit.formatting import count
from services.contract import endpoints
from services.contract.families import Families
from services.contract.frame_call import frame_of
from services.contract.source import Screens

shell.inside(routes.SPONSORS)
shell.title("Sponsors")
if query := filters.families_view():
    with states.panel(endpoints.OWNERSHIP):
        page = session.ask(Families.families, query)
        whole = session.ask(Screens.loan_totals, query.of_loans()).book_value
        sentence = filters.sentence(query)
        with actions.beside(f"{sentence}: {count(page.total)}", key="list"):
            filters.head_switch()
            if page.total:
                make = partial(ranking.export, query)
                exports.download(make, page.total, "credit-atlas-families")
        text.caption(
            "A family is all loans under one sponsor or owner, over ownership links of 0.70 or "
            "better each; a loan on several owners' books counts under each."
        )
        narrowed = f"{sentence}: none." if query.of_loans().params() else ""
        empty = "No sponsor or owner is resolved in this book: filings name none."
        if states.has_rows(page, routes.SPONSORS, query, empty=empty, unmatched=narrowed):
            ranking.listed(page.items, query, whole)
            paging.bar(page)
        api_call.frames(frame_of("families", query))
