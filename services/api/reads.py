"""The six reads: guarded, kept by snapshot, and read in a thread so that others need not wait."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
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

    async def _body(self, environment: Environment, endpoint: Endpoint, asked: object) -> Body:
        current, until = self._current.get(environment, ("", 0.0))
        if monotonic() < until:
            found = self._kept.get((environment, current, endpoint.name, asked))
            if found is not None:
                return found
        try:
            with self._lenders[environment].lease() as reading:
                snapshot_id = getattr(reading, "snapshot_id", None)
                key = (environment, snapshot_id, endpoint.name, asked)
                found = None
                if snapshot_id:
                    self._current[environment] = (snapshot_id, monotonic() + CURRENT_SECONDS)
                    found = self._kept.get(key)
                if found is None:
                    source = getattr(reading, "source", reading)
                    found = await asyncio.get_running_loop().run_in_executor(
                        self._pool, endpoint.read, source, asked, self._variant
                    )
                    if snapshot_id:
                        self._kept.put(key, found)
                return found
        except (InvalidRequest, Forbidden, NotFound, RateLimited):
            raise
        except Exception as error:
            # Whatever else a source says, a refused key of our own upstream too, is our failure.
            raise InternalError(f"{endpoint.name} failed") from error
