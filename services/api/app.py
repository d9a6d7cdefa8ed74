"""The application: FastAPI's routes and OpenAPI document, with our own front before them."""

import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, Final

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.routing import APIRoute
from limits.storage import Storage
from starlette.convertors import Convertor, register_url_convertor
from starlette.types import ASGIApp, Receive, Scope, Send

from services.contract.source import CreditSource
from services.contract.wire import Variant

from .access import Access
from .answers import Kept
from .document import complete, operation
from .document_text import ABOUT, TITLE
from .endpoints import ENDPOINTS
from .exchange import HERE, Answer, Exchange, MethodNotAllowed
from .front import Front
from .keys import Environment, KeyRing, Tier
from .limiting import DEFAULTS, Allowance, Clock, Limiter, ProcessCounts
from .params import refuse_any
from .reads import Handler, Lender, Reads

#: Answers kept for the next who asks the same of the same snapshot.
CACHE_BYTES: Final = 64 * 2**20
#: Reads at once; the store is as fast as its machine has cores, an upstream API waits.
_THREADS: Final = 8
_ANYTHING: Final = "anything"


class _Anything(Convertor[str]):
    """A loan number in a path: any characters but none at all, slashes and line ends included."""

    regex = r"[\s\S]+"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor(_ANYTHING, _Anything())


class _Route(APIRoute):
    """A route whose endpoint is called without FastAPI's parsing: the contract parses (D4, D7)."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        exchange: Exchange = scope[HERE]
        exchange.template = self.path_format
        if scope["method"] != "GET":
            raise MethodNotAllowed(
                f"{self.path_format} is read with GET; {scope['method'][:20]} is not allowed"
            )
        answer: Response = await self.endpoint(Request(scope, receive))
        await answer(scope, receive, send)


class _Service(FastAPI):
    """FastAPI with our own front in place of its middleware."""

    access: Access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI. FastAPI's own call looks for telemetry at each request, a fifth of its cost."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        if self.middleware_stack is None:
            self.middleware_stack = self.build_middleware_stack()
        scope["app"] = self
        await self.middleware_stack(scope, receive, send)

    def build_middleware_stack(self) -> ASGIApp:
        """See Starlette: what every request passes before the routes."""
        return Front(self.router, self.access)

    def openapi(self) -> dict[str, Any]:
        """See FastAPI: the OpenAPI 3.1 document."""
        if self.openapi_schema is None:
            self.openapi_schema = complete(super().openapi(), self.state.variant)
        return self.openapi_schema


def create_app(
    sources: Mapping[Environment, Lender | CreditSource],
    *,
    keys: KeyRing,
    variant: Variant = "a",
    allowances: Mapping[Tier | None, Allowance] = DEFAULTS,
    storage: Storage | None = None,
    clock: Clock = time.time,
    cache_bytes: int = CACHE_BYTES,
    on_close: Sequence[Callable[[], None]] = (),
) -> FastAPI:
    """The service over `sources`, by environment of the key.

    A source is a CreditSource, or hands out readings on a lease. `storage` counts requests for
    several processes; without one each process counts by itself, by `clock` (epoch seconds).
    `on_close` is called when the server stops, after the last read.
    """
    pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="read")

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        del app
        yield
        pool.shutdown(cancel_futures=True)
        reads.close()
        for close in on_close:
            close()

    app = _Service(
        title=TITLE,
        version="1",
        description=ABOUT,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        servers=[{"url": "/", "description": "This service"}],
    )
    app.state.variant = variant
    by_key, by_address = (
        Limiter(storage or ProcessCounts(clock=clock), clock=clock) for _ in range(2)
    )
    app.access = Access(keys, allowances, by_key, by_address, pool)
    reads = Reads(app.access, sources, variant, Kept(cache_bytes), pool)
    for endpoint in ENDPOINTS:
        app.router.add_api_route(
            endpoint.path.replace("}", f":{_ANYTHING}}}"),
            reads.endpoint(endpoint),
            methods=["GET"],
            name=endpoint.name,
            operation_id=endpoint.name,
            route_class_override=_Route,
            **operation(endpoint, variant),
        )
    app.router.add_api_route(
        "/openapi.json",
        _described(app),
        methods=["GET"],
        include_in_schema=False,
        route_class_override=_Route,
    )
    return app


def _described(app: _Service) -> Handler:
    """The endpoint of the OpenAPI document, which needs no key but counts by address."""

    async def describe(request: Request) -> Response:
        exchange: Exchange = request.scope[HERE]
        await app.access.count(exchange)
        refuse_any(request.scope["query_string"])
        return Answer(exchange, 200, orjson.dumps(app.openapi()))

    return describe
