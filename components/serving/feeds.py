"""Calendar feeds, which calendar programs read by an address of their own: without sign-in, by a
token that its user can revoke.
"""

import asyncio
import logging
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from components.serving.readiness import said
from services.calendar_feed import feed
from services.calendar_file import MIME
from services.contract.errors import CreditAtlasError, MirrorMissing
from services.settings import Settings
from services.sign_in import user_by_name
from services.sources import open_desk

log = logging.getLogger("credit_atlas")

#: Where a feed lies, before its token.
PLACE: Final = "/feeds"
_NONE: Final = "There is no such calendar feed, or it was revoked; make one on the page Calendar."
_FAULT: Final = "The calendar cannot be read now; try again later."


class CalendarFeeds:
    """The feeds of this server."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def routes(self) -> list[BaseRoute]:
        """/feeds/TOKEN.ics: the file; 404 for a token that opens none."""
        return [Route(f"{PLACE}/{{token}}.ics", self._asked)]

    async def _asked(self, request: Request) -> Response:
        try:
            found = await asyncio.to_thread(self._file, request.path_params["token"])
        except CreditAtlasError as error:
            # Its sentence may name a file of this machine: that is for the log.
            log.warning("a calendar feed cannot be read: %s", error)
            return said(_FAULT, 503)
        if found is None:
            return said(_NONE, 404)
        kept = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex"}
        return Response(found, media_type=f"{MIME}; charset=utf-8", headers=kept)

    def _file(self, token: str) -> bytes | None:
        # Here, for Streamlit's caches look for its runtime when the module is imported.
        from components.frame import session

        desk = open_desk(self._settings)
        found = desk.feed_by(token)
        if found is None:
            return None
        # Whoever has left, or may take nothing away any more, has no feed either.
        user = user_by_name(found.owner, self._settings)
        if user is None or not user.may("export"):
            return None
        with session.opened(session.kinds()[0]).lease() as lease:
            if lease.analytics is None:
                raise MirrorMissing.of_figures()
            watches = desk.watched(found.owner, lease.label)
            watched = {one.subject.name for one in watches if one.subject.kind == "loan"}
            return feed(lease.analytics, watched, link=self._settings.dashboard_url or "")
