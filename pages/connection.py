"""Connection: how two loans or parties are connected."""

from components.frame import routes, shell
from components.graph import connection, ends, examples

shell.inside(routes.CONNECTION)
shell.title("Connection")
view = ends.asked()
if view:
    ends.boxes(view)
    if not view.whole:
        examples.panel(view)
    elif result := connection.found(view):
        connection.answer(view, result)
