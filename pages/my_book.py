"""My book: a user's own loan tape, dropped on the page, checked and added to the store."""

from components.book import columns, loading, tape
from components.frame import routes, shell, states, visitor

shell.inside(routes.MY_BOOK)
shell.title("My book")
loading.said()
if not visitor.who().may("tape"):
    states.nothing("Your role reads no tapes; see Your access.")
elif (here := tape.dropped()) and (seen := here.seen):
    columns.asked(seen)
    loading.rows(seen)
    columns.table(seen)
    loading.files(here, seen)
    loading.into_store(here, seen)
elif here is None:
    states.nothing(
        "Drop a tape as you have it. Header row, delimiter, dates and units are found out from the "
        "file; what it does not tell is asked. Nothing is kept until you add it."
    )
    columns.understood()
