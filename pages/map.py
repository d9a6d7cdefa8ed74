"""Map: every property where it stands, as points or in cells."""

from components.desk import saving, writing
from components.frame import routes, shell, states
from components.properties import filters, view
from services.contract import endpoints

shell.inside(routes.MAP)
shell.title("Map")
writing.outcome()
if asked := filters.map_view():
    view.page(asked)
    loans = asked.filter().of_loans()
    with states.panel(endpoints.LOANS):
        saving.as_set(loans, filters.sentence(asked))
