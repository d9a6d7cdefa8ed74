"""Loans: find, order, rank, compare and export."""

from components.desk import drawer, saving, selection, writing
from components.exposure import counts
from components.frame import paging, routes, session, shell, states
from components.kit import actions
from components.kit.formatting import count
from components.loans import bulk, columns, comparison, filters, look, pivot, table, totals
from components.memo import pack
from components.report import button
from services.contract import endpoints

shell.inside(routes.LOANS)
shell.title("Loans")
writing.outcome()
view = filters.loan_view()
if view and view.set and bulk.numbers_of(view.set) is None:
    bulk.unknown_set(view.set)
elif view:
    query = view.filter()
    shown = columns.dated(columns.begun(view.columns))
    page = table.found(query, columns.opened(shown))
    shown = columns.filled(view.columns, shown, (one.values for one in page.items))
    sentence = filters.sentence(query)
    if not page.total:
        states.no_match(f"{sentence}: none.", routes.LOANS)
    else:
        with actions.beside(f"{sentence}: {count(page.total)}", key="list"):
            saving.search("loans", view, query, sentence)
            saving.as_set(query.without("order").at(1), sentence)
            button.report(query, sentence)
            pack.button(query, sentence)
            table.download(query, shown, page.total)
        with states.panel(endpoints.ENTITIES):
            counts.of_filter(query.lender)
        with states.panel(endpoints.LOANS):
            totals.strip(query)
        look.row(query, view.columns, view.set)
        if view.by:
            with states.panel(endpoints.LOANS):
                pivot.groups(query, view.by, view.across, view.figure, sentence, view.set)
        elif page.items:
            marks = drawer.beside(view.loan), comparison.ticks(view.compare or ())
            table.found_loans(page.items, shown, session.today(), "loans", query, *marks)
            paging.bar(page)
            drawer.drawn(view.loan, page.items, session.today())
            selection.bar(view.compare)
        else:
            states.beyond_last(page, routes.LOANS, view.at(1).params())
        with states.panel(endpoints.LOANS):
            totals.notes(query)
    table.calls(query, page)
