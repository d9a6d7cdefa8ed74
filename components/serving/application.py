"""The ASGI application: Streamlit's own, within what a browser and a load balancer need."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import streamlit as st
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Scope

from components.platform import runtime
from components.platform.bundles import Bundles, CompressedBundles, cache_folder
from components.platform.developers import WithoutDevelopers
from components.platform.headers import SecurityHeaders, content_security_policy, streamlits_page
from components.platform.media import OwnMedia
from components.platform.refusal import Faults
from components.platform.uploads import OnlyAskedUploads
from components.serving.base_path import BelowBase
from components.serving.feeds import CalendarFeeds
from components.serving.hosts import OnlyAsked
from components.serving.prewarm import prewarm
from components.serving.readiness import Doorkeeper, Readiness
from components.serving.service import WithService
from components.serving.sign_in import BehindProxy
from services.sources import open_desk
from services.startup_checks import checked

#: What Streamlit runs for every visitor.
SCRIPT: Final = Path(__file__).parents[2] / "app.py"


def application(
    script: Path = SCRIPT,
    *,
    host: str = "127.0.0.1",
    base: str = "",
    service: ASGIApp | None = None,
) -> st.App:
    """The dashboard as an ASGI application: `script` by Streamlit, /healthz, /readyz, calendar
    feeds, compressed bundles, security headers, all below the path `base`. `host` is what
    browsers reach, `service` the API, which asks for a key and takes any host.
    """
    bundles, readiness, settings = Bundles(), Readiness(), checked()
    # Damage is said on the pages and in the log; a desk that does not answer keeps nobody out.
    open_desk(settings).verify_soon()
    signed_in = [Middleware(BehindProxy, settings=settings)] if settings.sign_in == "proxy" else []

    @asynccontextmanager
    async def lifespan(_app: st.App) -> AsyncIterator[None]:
        await asyncio.to_thread(bundles.load, cache_folder())
        warming = asyncio.create_task(prewarm(readiness.open.set))
        warming.add_done_callback(lambda _: readiness.warm.set())
        yield
        warming.cancel()

    def is_own(scope: Scope, session_id: str) -> bool:
        pages = runtime.runtime()
        return pages.is_session_of(session_id, pages.user_in(Headers(scope=scope)))

    return runtime.PagesApp(
        script,
        settings=settings,
        lifespan=lifespan,
        routes=[*readiness.routes(), *CalendarFeeds(settings).routes()],
        middleware=[
            Middleware(SecurityHeaders, policy=content_security_policy(streamlits_page())),
            Middleware(Faults),
            *([Middleware(BelowBase, base=base)] if base else []),
            *([] if service is None else [Middleware(WithService, service=service)]),
            Middleware(OnlyAsked, host=host, hosts=settings.hosts),
            *signed_in,
            Middleware(WithoutDevelopers, is_admin=lambda one: runtime.runtime().is_admin(one)),
            Middleware(OwnMedia, settings=settings, files=lambda: runtime.runtime().files),
            Middleware(OnlyAskedUploads, uploads=lambda: runtime.runtime().uploads, is_own=is_own),
            Middleware(CompressedBundles, bundles=bundles),
            Middleware(Doorkeeper, readiness=readiness),
        ],
    )
