"""The six reads: guarded, kept by snapshot, and read in a thread so that others need not wait."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from time import monotonic
from typing import Any, Protocol

from fastapi import Request, Response

from services.contract.errors import (
    Forbidden,
    InternalError,
    InvalidRequest,
    NotFound,
    RateLimited,
)
from services.contract.source import CreditSource
from services.contract.wire import Variant

from .access import Access, require
from .answers import Body, Kept
from .endpoints import Endpoint
from .exchange import HERE, Answer, Exchange
from .keys import Environment
from .params import loan_number_of, query_of, refuse_any, refuse_key

#: How long a kept answer may go out without a look whether its snapshot is still the current one.
CURRENT_SECONDS = 0.05
Handler = Callable[[Request], Awaitable[Response]]


class Reading(Protocol):
    """One snapshot of a source, held open. Without a `snapshot_id` nothing of it is kept."""

    @property
    def source(self) -> CreditSource:
        """What to read from."""
        ...

    @property
    def snapshot_id(self) -> str | None:
        """Changes whenever an answer may change."""
        ...


class Lender(Protocol):
    """Hands out readings: each request holds one snapshot from beginning to end."""

    def lease(self) -> AbstractContextManager[Reading]:
        """The current snapshot until the block ends."""
        ...


@dataclass(frozen=True, slots=True)
class _Plain:
    """A plain source as a lender: always the same, nothing to hold or to keep."""

    source: CreditSource
    snapshot_id: str | None = None

    def lease(self) -> AbstractContextManager[Reading]:
        return nullcontext(self)


class Reads:
    """The six reads, guarded, kept and encoded."""

    def __init__(
        self,
        access: Access,
        sources: Mapping[Environment, Lender | CreditSource],
        variant: Variant,
        kept: Kept,
        pool: ThreadPoolExecutor,
    ) -> None:
        self._access = access
        self._lenders: dict[Environment, Any] = {
            environment: source if hasattr(source, "lease") else _Plain(source)
            for environment, source in sources.items()
        }
        self._environments = frozenset(self._lenders)
        self._variant = variant
        self._kept = kept
        self._pool = pool
        #: The snapshot last seen, and until when no newer one is looked for.
        self._current: dict[Environment, tuple[str, float]] = {}
        #: What answers without waiting, on a lease that is held as long.
        self._held: dict[Environment, tuple[CreditSource, ExitStack]] = {}

    def endpoint(self, endpoint: Endpoint) -> Handler:
        """What answers requests to `endpoint`."""

        async def read(request: Request) -> Response:
            scope = request.scope
            exchange: Exchange = scope[HERE]
            await self._access.count(exchange)
            if exchange.key is None:
                refuse_key(scope["query_string"])
            environment = require(exchange, endpoint.tiers, self._environments)
            asked: Any
            if endpoint.query is None:
                refuse_any(scope["query_string"])
                asked = loan_number_of(scope["path_params"]["loan_number"])
            else:
                asked = query_of(endpoint.query, scope["query_string"])
            body = await self._body(environment, endpoint, asked)
            return Answer(exchange, 200, body.sent_as(exchange.request_id))

        return read

    def close(self) -> None:
        """Gives back the leases that are held."""
        for environment in list(self._held):
            self._let_go(environment)

    def _hold(self, environment: Environment, source: CreditSource, lease: ExitStack) -> None:
        self._held[environment] = source, lease
        loop = asyncio.get_running_loop()
        loop.call_later(CURRENT_SECONDS, self._let_go, environment)

    def _let_go(self, environment: Environment) -> None:
        if environment in self._held:
            self._held.pop(environment)[1].close()

    async def _body(self, environment: Environment, endpoint: Endpoint, asked: object) -> Body:
        try:
            return self._known(environment, endpoint, asked) or await self._read(
                environment, endpoint, asked
            )
        except (InvalidRequest, Forbidden, NotFound, RateLimited):
            raise
        except Exception as error:
            # Whatever else a source says, a refused key of our own upstream too, is our failure.
            raise InternalError(f"{endpoint.name} failed") from error

    def _known(self, environment: Environment, endpoint: Endpoint, asked: object) -> Body | None:
        """The answer, where neither a lease nor a wait is needed for it."""
        if endpoint.ready is not None and environment in self._held:
            source, _ = self._held[environment]
            return endpoint.ready(source, asked, self._variant)
        current, until = self._current.get(environment, ("", 0.0))
        if monotonic() < until:
            return self._kept.get((environment, current, endpoint.name, asked))
        return None

    async def _read(self, environment: Environment, endpoint: Endpoint, asked: object) -> Body:
        with ExitStack() as lease:
            reading = lease.enter_context(self._lenders[environment].lease())
            source = getattr(reading, "source", reading)
            if endpoint.ready is not None:
                ready = endpoint.ready(source, asked, self._variant)
                if ready is not None:
                    # Not kept, for it would only drive out what is dear to read again.
                    if environment not in self._held:
                        self._hold(environment, source, lease.pop_all())
                    return ready
            snapshot_id = getattr(reading, "snapshot_id", None)
            key = (environment, snapshot_id, endpoint.name, asked)
            found = None
            if snapshot_id:
                self._current[environment] = (snapshot_id, monotonic() + CURRENT_SECONDS)
                found = self._kept.get(key)
            if found is None:
                found = await asyncio.get_running_loop().run_in_executor(
                    self._pool, endpoint.read, source, asked, self._variant
                )
                if snapshot_id:
                    self._kept.put(key, found)
            return found
