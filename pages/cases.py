"""Cases: work on loans, mine, nobody's and due, and what a rule opens and closes."""

from functools import partial

from components.desk import cases, suggested, writing
from components.frame import exports, paging, routes, shell, states
from components.kit import actions
from components.kit.formatting import count

shell.inside(routes.CASES)
shell.title("Cases")
if view := cases.asked():
    off = writing.banner() is not None
    found = writing.read(cases.all_cases, said=off)
    if found is None:
        states.nothing("Cases cannot be read now.")
    else:
        view = cases.switches(view, found)
        rows = cases.rows(found, view)
        page = paging.page_of(rows, view)
        with actions.beside(f"{cases.sentence(view)}: {count(page.total)}", key="list"):
            cases.rule(found, off=off)
            if page.total:
                make = partial(cases.export, view.at(1))
                exports.download(make, page.total, "credit-atlas-cases")
        if not found:
            suggested.without_cases()
        elif states.has_rows(page, routes.CASES, view, empty="No case is here."):
            cases.listed(page)
