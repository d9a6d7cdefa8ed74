"""The application: routes and OpenAPI document by FastAPI, behind `Front`."""

import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import cache
from typing import Final

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.routing import APIRoute
from starlette.convertors import Convertor, register_url_convertor
from starlette.routing import Match
from starlette.types import ASGIApp, Receive, Scope, Send

from services.contract.access import LicenceTier
from services.contract.endpoints import ENDPOINTS, EXTENSIONS
from services.contract.errors import NotFound
from services.contract.lease import Leasable
from services.contract.source import CreditSource
from services.contract.wire import Variant

from .access import Access
from .assistants import Assistants
from .document import ABOUT, TITLE, complete, operation
from .exchange import HERE, Answer, Exchange, MethodNotAllowed
from .front import Front
from .health import Health
from .keys import Environment, KeyRing
from .limiting import DEFAULTS, Allowance, Clock, Counts, Limiter, ProcessCounts
from .params import refuse_any
from .reads import CACHE_BYTES, Handler, Reads

#: Reads at once; the store is as fast as its machine has cores, an upstream API waits.
_THREADS: Final = 8
#: Requests counted at once where counting waits for a network. Each may have a connection to
#: PostgreSQL for keys and one for quotas; a database has 100 by default, for all processes.
_COUNTING_THREADS: Final = 4
_ANYTHING: Final = "anything"
#: What stands after a loan number in a path that would else be read as the number's end.
_ENDING: Final = "/history"


class _Anything(Convertor[str]):
    """A loan number in a path: any characters but none at all, slashes and line ends included."""

    regex = r"[\s\S]+"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor(_ANYTHING, _Anything())


class _Route(APIRoute):
    """A route whose endpoint is called without FastAPI's parsing: the contract parses (D4, D7).

    That parsing would find nothing to do, and cost 32 microseconds more than the 95 that a request
    takes; FastAPI's own hook, `get_route_handler`, would still cost 7 (README.md).
    """

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        # A loan's number may end in '/history', sent as '%2Fhistory': that is the loan (D187).
        if self.path_format.endswith(_ENDING) and not scope["raw_path"].endswith(_ENDING.encode()):
            return Match.NONE, {}
        return super().matches(scope)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        exchange: Exchange = scope[HERE]
        exchange.template = self.path_format
        if scope["method"] != "GET":
            raise MethodNotAllowed(
                f"{self.path_format} is read with GET; {scope['method'][:20]} is not allowed"
            )
        answer: Response = await self.endpoint(Request(scope, receive))
        await answer(scope, receive, send)


def create_app(
    sources: Mapping[Environment, Leasable | CreditSource],
    *,
    keys: KeyRing,
    variant: Variant = "a",
    allowances: Mapping[LicenceTier | None, Allowance] = DEFAULTS,
    rates: Counts | None = None,
    quotas: Counts | None = None,
    clock: Clock = time.time,
    cache_bytes: int = CACHE_BYTES,
    dashboard: str | None = None,
    on_close: Sequence[Callable[[], None]] = (),
) -> ASGIApp:
    """The service over `sources`, by environment of the key.

    A source is a CreditSource, or is read on a lease. `rates` counts requests for several
    processes, and those of a day too where `quotas` does not; without them each process counts by
    itself, by `clock` (epoch seconds). `dashboard` is the address that links of assistants begin
    with. `on_close` is called when the server stops, after the last
    read.
    """
    pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="read")
    # Counting is not to wait for reads, nor for more connections than a process has.
    counting = ThreadPoolExecutor(_COUNTING_THREADS, thread_name_prefix="count")

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        del app
        async with assistants.running():
            yield
        counting.shutdown(cancel_futures=True)
        pool.shutdown(cancel_futures=True)
        reads.close()
        for close in on_close:
            close()

    def limiter() -> Limiter:
        of_minutes = ProcessCounts(clock=clock) if rates is None else rates
        return Limiter(of_minutes, of_minutes if quotas is None else quotas, clock=clock)

    access = Access(keys, allowances, limiter(), limiter(), counting)
    reads = Reads(access, sources, variant, cache_bytes, pool)
    assistants = Assistants(access, reads.sources, pool, dashboard)
    app = FastAPI(
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
    app.router.default = _no_such_path
    # Ours first: the path of one loan takes whatever follows.
    for endpoint in (*EXTENSIONS, *ENDPOINTS):
        app.router.add_api_route(
            endpoint.path.replace("}", f":{_ANYTHING}}}"),
            reads.handler(endpoint),
            methods=["GET"],
            name=endpoint.name,
            operation_id=endpoint.name,
            route_class_override=_Route,
            **operation(endpoint, variant),
        )
    app.router.add_api_route(
        "/openapi.json",
        _described(app, variant, access),
        methods=["GET"],
        include_in_schema=False,
        route_class_override=_Route,
    )
    app.router.routes.append(assistants.route())
    # `Front` answers every error, so FastAPI's own middleware and telemetry would have nothing to
    # do; they would cost 15 microseconds more than the 95 that a request takes (README.md).
    return Health(Front(app.router, access), sources.values())


def _described(app: FastAPI, variant: Variant, access: Access) -> Handler:
    """The endpoint of the OpenAPI document, which needs no key but counts by address."""

    @cache
    def document() -> bytes:
        return orjson.dumps(complete(app.openapi(), variant))

    async def describe(request: Request) -> Response:
        exchange: Exchange = request.scope[HERE]
        await access.count(exchange)
        refuse_any(request.scope["query_string"])
        return Answer(exchange, 200, document())

    return describe


async def _no_such_path(scope: Scope, receive: Receive, send: Send) -> None:
    del scope, receive, send
    raise NotFound("There is no such path; /openapi.json describes those that there are")
