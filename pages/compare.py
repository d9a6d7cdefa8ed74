"""Compare: up to five loans side by side."""

from components.frame import routes, shell
from components.history import side_by_side
from components.loans import comparison

shell.inside(routes.COMPARE)
shell.title("Compare")
if found := comparison.shown():
    view, numbers = found
    side_by_side.panel(numbers, view)
