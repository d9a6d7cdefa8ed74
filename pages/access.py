"""Your access: who you are, what your role may do, and what each licence tier opens."""

from components.access import panels
from components.frame import routes, session, shell

shell.inside(routes.ACCESS)
shell.title("Your access")
panels.who(session.who())
panels.tiers(session.workspace().upstream)
panels.seen_as()
