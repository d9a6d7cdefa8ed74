"""Calendar: what falls due when, as a list, by month and by quarter."""

from components.calendar import screen, view
from components.desk import feed
from components.frame import routes, shell, states
from services.contract import endpoints

shell.inside(routes.CALENDAR)
shell.title("Calendar")
if asked := view.calendar_view():
    with states.panel(endpoints.LOANS):
        screen.page(asked, beside=feed.popover)
