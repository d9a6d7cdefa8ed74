"""Watchlist: what a user watches, worst first, what changed since, and the saved searches."""

from functools import partial

from components.desk import found, saving, searches, suggested, watchlist, writing
from components.frame import address, exports, paging, routes, shell, states
from components.kit import actions
from components.kit.formatting import count
from components.loans import bulk, look

shell.inside(routes.WATCHLIST)
shell.title("Watchlist")
if view := watchlist.asked():
    off = writing.banner() is not None
    watches = writing.read(partial(watchlist.watched, view), said=off)
    saved = writing.read(searches.saved, said=off or watches is None)
    if watches is None or saved is None:
        address.settle(view)
    elif not watches and not saved and not view.of:
        address.settle(view)
        suggested.empty(off=off)
    else:
        searches.whose(saved, view.of)
        view = watchlist.switches(view, watches, len(saved))
        if view.show == "searches":
            searches.panel(saved, view, changed=view.changed, off=off)
        else:
            rows = watchlist.rows(watches, view)
            page = paging.page_of(rows, view)
            with actions.beside(f"{watchlist.sentence(view)}: {count(page.total)}", key="list"):
                if watches and not view.of:
                    saving.watches(partial(found.watched, watches), off=off)
                    watchlist.actions(rows, off=off)
                if known := tuple(row.name for row in rows if row.now and view.show == "loans"):
                    look.plot({"set": bulk.keep(known)})
                if page.total:
                    make = partial(watchlist.export, view.at(1))
                    exports.download(make, page.total, "credit-atlas-watchlist")
            if states.has_rows(page, routes.WATCHLIST, view, empty=watchlist.none(view)):
                watchlist.listed(page, view)
            if view.show == "loans" and not (view.of or view.changed):
                suggested.more(watches, off=off)
