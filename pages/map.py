"""Map: every property where it stands, as points or in cells."""

from components.frame import routes, shell
from components.properties import filters, view

shell.inside(routes.MAP)
shell.title("Map")
if asked := filters.map_view():
    view.page(asked)
