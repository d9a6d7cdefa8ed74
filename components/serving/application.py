"""The ASGI application: Streamlit's own, within what a browser and a load balancer need."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import streamlit as st
from starlette.middleware import Middleware

from components.serving.bundles import Bundles, CompressedBundles, cache_folder
from components.serving.headers import SecurityHeaders, content_security_policy
from components.serving.prewarm import prewarm
from components.serving.readiness import Doorkeeper, Readiness

#: What Streamlit runs for every visitor.
SCRIPT: Final = Path(__file__).parents[2] / "app.py"


def application(script: Path = SCRIPT) -> st.App:
    """The dashboard as an ASGI application: `script` by Streamlit, /healthz, /readyz, compressed
    bundles, security headers.
    """
    bundles, readiness = Bundles(), Readiness()

    @asynccontextmanager
    async def lifespan(_app: st.App) -> AsyncIterator[None]:
        await asyncio.to_thread(bundles.load, cache_folder())
        warming = asyncio.create_task(prewarm())
        warming.add_done_callback(lambda _: readiness.warm.set())
        yield
        warming.cancel()

    return st.App(
        script,
        lifespan=lifespan,
        routes=readiness.routes(),
        middleware=[
            Middleware(SecurityHeaders, policy=content_security_policy()),
            Middleware(CompressedBundles, bundles=bundles),
            Middleware(Doorkeeper, readiness=readiness),
        ],
    )
