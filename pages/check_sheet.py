"""Check sheet: each filing against itself and against the one before."""

from functools import partial

from components.filings import listed, sheet
from components.filings.view import check_sheet_view
from components.frame import address, exports, links, routes, session, shell, states
from components.kit import text
from services.contract import endpoints
from services.contract.check_sheet import CheckSheets
from services.contract.errors import NoHistory

shell.inside(routes.CHECK_SHEET)
shell.title("Check sheet")
with states.panel(endpoints.LOANS):
    try:
        newest = session.ask(CheckSheets.checked_filings)
    except NoHistory:
        newest = []
    if not newest:
        address.left_blank()
        states.nothing("This snapshot keeps no filing: import the files of each date.")
        links.link(routes.SOURCES, "To the sources", "arrow_forward")
    elif view := check_sheet_view(newest):
        filings, shown = newest, "The newest filing of each source"
        if view.source:
            filings = session.ask(CheckSheets.checked_filings, view.source)
            found = session.ask(CheckSheets.check_sheet, view.source, view.as_of)
            sheet.heading(found)
            sheet.balances(found, view.total)
            sheet.checks(found)
            sheet.findings(found)
            shown = f"Filings of {found.title}"
        text.heading(shown, level=2)
        listed.filings(filings, several=not view.source)
        make = partial(listed.export, filings, shown)
        exports.download(make, len(filings), "credit-atlas-filings")
