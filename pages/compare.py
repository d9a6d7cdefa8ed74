"""Compare: up to five loans side by side."""

from components.frame import routes, shell
from components.loans import comparison

shell.inside(routes.COMPARE)
shell.title("Compare")
comparison.shown()
