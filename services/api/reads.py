"""All reads: first who may ask, then an answer that is at hand, else one read in a thread."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from typing import Any, Final, Self

from fastapi import Request, Response

from services.cache import ByteCache
from services.contract.access import PARTY_CONDITIONS
from services.contract.endpoints import LOAN, Endpoint
from services.contract.errors import (
    Forbidden,
    InternalError,
    InvalidRequest,
    NoHistory,
    NotFound,
    NotOffered,
    RateLimited,
)
from services.contract.lease import EncodedReads, Leasable, Lease
from services.contract.source import CreditSource
from services.contract.wire import Variant

from .access import Access, require, require_parties
from .answers import Body, read
from .exchange import HERE, Answer, Exchange
from .keys import Environment
from .params import loan_number_of, query_of, refuse_any, refuse_key

#: How long the requests of an environment share a lease (D49). One for each request would cost
#: 13 microseconds more than the 95 that a request takes (README.md).
SHARE_SECONDS = 0.05
#: Answers remembered for the next who asks the same of the same snapshot.
CACHE_BYTES: Final = 64 * 2**20
Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class _Unleased:
    """A source that is always there: nothing to hold, and no snapshot to remember answers by."""

    source: CreditSource

    def lease(self) -> AbstractContextManager[Lease]:
        return nullcontext(Lease(self.source, None, "", ""))


class _SharedLease:
    """A lease for all requests that come while its time lasts. `with` reads longer on it.

    It is given back when its time is over and the last reader is done. Only for the thread of the
    event loop.
    """

    def __init__(self, source: Leasable) -> None:
        self._stack = ExitStack()
        lease = self._stack.enter_context(source.lease())
        self.source = lease.source
        self.snapshot_id = lease.snapshot_id
        self.encoded = lease.source if isinstance(lease.source, EncodedReads) else None
        self._readers = 1  # its time counts as one

    def __enter__(self) -> Self:
        self._readers += 1
        return self

    def __exit__(self, *_: object) -> None:
        self._readers -= 1
        if self._readers == 0:
            self._stack.close()


class Reads:
    """All reads over the source of each environment."""

    def __init__(
        self,
        access: Access,
        sources: Mapping[Environment, Leasable | CreditSource],
        variant: Variant,
        cache_bytes: int,
        pool: ThreadPoolExecutor,
    ) -> None:
        self._access = access
        self.sources: dict[Environment, Leasable] = {
            environment: source if isinstance(source, Leasable) else _Unleased(source)
            for environment, source in sources.items()
        }
        self._environments = frozenset(self.sources)
        self._variant = variant
        self._bodies: ByteCache[Body] = ByteCache(cache_bytes, lambda body: len(body.head))
        self._pool = pool
        self._shared: dict[Environment, _SharedLease] = {}

    def handler(self, endpoint: Endpoint[Any, Any]) -> Handler:
        """What answers requests to `endpoint`."""
        query = endpoint.query
        of_parties = query is not None and bool(PARTY_CONDITIONS & query.model_fields.keys())

        async def handle(request: Request) -> Response:
            scope = request.scope
            exchange: Exchange = scope[HERE]
            await self._access.count(exchange)
            if exchange.key is None:
                refuse_key(scope["query_string"])
            environment = require(exchange, endpoint, self._environments)
            question: tuple[Any, ...] = ()
            if query is None:
                refuse_any(scope["query_string"])
            else:
                question = (query_of(query, scope["query_string"]),)
            if endpoint.of_loan:
                question = (loan_number_of(scope["path_params"]["loan_number"]), *question)
            if of_parties:
                require_parties(exchange, endpoint, question)
            body = await self._body(environment, endpoint, question)
            return Answer(exchange, 200, body.sent_as(exchange.request_id))

        return handle

    def close(self) -> None:
        """Gives back the leases that are shared."""
        for environment in list(self._shared):
            self._end_sharing(environment)

    async def _body(
        self, environment: Environment, endpoint: Endpoint[Any, Any], question: tuple[Any, ...]
    ) -> Body:
        try:
            shared = self._shared.get(environment) or self._share(environment)
            if endpoint is LOAN and shared.encoded is not None:
                encoded = shared.encoded.encoded_loan(question[0], self._variant)
                if encoded is not None:
                    # Not remembered: it would only drive out what takes long to read again.
                    return Body.of(encoded)
            key = (environment, shared.snapshot_id, endpoint.name, question)
            found = self._bodies.get(key) if shared.snapshot_id else None
            if found is None:
                with shared:
                    found = await asyncio.get_running_loop().run_in_executor(
                        self._pool, read, endpoint, shared.source, question, self._variant
                    )
                if shared.snapshot_id:
                    self._bodies.put(key, found)
        except (InvalidRequest, Forbidden, NotFound, RateLimited):
            raise
        except (NoHistory, NotOffered) as error:
            raise NotFound(error.message) from None
        except Exception as error:
            # Whatever else a source says, a refused key of our own upstream too, is our failure.
            raise InternalError(f"{endpoint.name} failed") from error
        return found

    def _share(self, environment: Environment) -> _SharedLease:
        shared = self._shared[environment] = _SharedLease(self.sources[environment])
        loop = asyncio.get_running_loop()
        loop.call_later(SHARE_SECONDS, self._end_sharing, environment)
        return shared

    def _end_sharing(self, environment: Environment) -> None:
        shared = self._shared.pop(environment, None)
        if shared is not None:
            shared.__exit__()
