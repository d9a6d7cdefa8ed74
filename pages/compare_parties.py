"""Compare parties: up to five side by side."""

from components.entities import comparison
from components.frame import routes, shell

shell.inside(routes.COMPARE_PARTIES)
shell.title("Compare parties")
comparison.shown()
