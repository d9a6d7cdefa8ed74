"""Track record: what became of loans after they were graded, over a history of filings."""

from functools import partial

from components.frame import routes, session, shell
from components.track_record import panels

shell.inside(routes.TRACK_RECORD)
of = session.track_record()
shell.title("Track record", partial(panels.stands_on, of))
panels.summary(of)
panels.ranked(of.run)
panels.by_severity(of.run)
panels.distressed(of.run)
panels.definition()
