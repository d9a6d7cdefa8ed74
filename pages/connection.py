"""Connection: how two loans or parties are connected."""

from components.frame import routes, shell
from components.graph import connection, ends

shell.inside(routes.CONNECTION)
shell.title("Connection")
view = ends.asked()
if view:
    ends.boxes(view)
    if not view.whole:
        connection.empty()
    elif result := connection.found(view):
        connection.answer(view, result)
