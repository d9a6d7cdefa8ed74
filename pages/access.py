"""Your access: who you are, what your role may do, what each licence tier opens, and the audit."""

from components.access import assistants, audit, panels
from components.frame import routes, session, shell, visitor

shell.inside(routes.ACCESS)
shell.title("Your access")
panels.who(visitor.who())
panels.tiers(session.workspace().upstream)
panels.seen_as()
assistants.panel()
audit.panel()
