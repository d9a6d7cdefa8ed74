"""What every request passes: size limits, errors as envelopes, the access log."""

import logging
from datetime import UTC, datetime
from time import perf_counter
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from services.contract.errors import (
    CreditAtlasError,
    InternalError,
    InvalidRequest,
    NotFound,
    RateLimited,
)

from .access import Access
from .exchange import (
    HERE,
    Answer,
    Exchange,
    HeadersTooLarge,
    TargetTooLong,
    failure,
)
from .params import refuse_key

#: Path and query: the longest name of a party in any script fits, percent-encoded.
MAX_TARGET: Final = 16 * 1024
MAX_HEADERS: Final = 32 * 1024
#: Where the HTTP protocol says that what came was not a request, or too much of one.
FAULT: Final = "creditatlas.fault"
_FAILED: Final = 500

access_log = logging.getLogger("creditatlas.access")
service_log = logging.getLogger("creditatlas.service")


class Front:
    """Answers whatever the routes raise, and writes one line of log a request."""

    def __init__(self, routes: ASGIApp, access: Access) -> None:
        self._routes = routes
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            else:
                await self._routes(scope, receive, send)
            return
        exchange = Exchange(scope)
        scope[HERE] = exchange
        try:
            _check(scope)
            await self._routes(scope, receive, send)
        except (CreditAtlasError, HTTPException) as error:
            answer = await self._told(exchange, error)
            await answer(scope, receive, send)
        except Exception as error:  # noqa: BLE001 - the last resort, answered and logged in full
            answer = await self._told(exchange, error)
            await answer(scope, receive, send)
        finally:
            _log(exchange)

    async def _told(self, exchange: Exchange, raised: Exception) -> Answer:
        """An error as its envelope. Counted like any request, against key or address."""
        error = raised
        try:
            if exchange.standing is None:
                await self._access.count(exchange)
            if isinstance(error, NotFound | HTTPException):
                refuse_key(exchange.scope["query_string"])
        except (RateLimited, InvalidRequest) as other:
            error = other
        except Exception as other:  # noqa: BLE001 - counting failed: say so in the log
            error = other
        if isinstance(error, HTTPException):
            error = NotFound("There is no such path; /openapi.json describes the six reads")
        if isinstance(error, CreditAtlasError) and error.status not in (0, _FAILED):
            told, status = error, error.status
        else:
            _log_failure(exchange, error)
            told = InternalError(
                "The service could not answer; try again, and name the request_id to support"
            )
            status = _FAILED
        body, headers = failure(told, status, exchange.request_id)
        return Answer(exchange, status, body, headers)


def _check(scope: Scope) -> None:
    fault: CreditAtlasError | None = scope.get("extensions", {}).get(FAULT)
    if fault is not None:
        raise fault
    if len(scope["path"]) + len(scope["query_string"]) > MAX_TARGET:
        raise TargetTooLong(f"Path and query are longer than {MAX_TARGET:,} bytes")
    if sum(len(name) + len(value) for name, value in scope["headers"]) > MAX_HEADERS:
        raise HeadersTooLarge(f"The headers are larger than {MAX_HEADERS:,} bytes")


def _log(exchange: Exchange) -> None:
    if not access_log.isEnabledFor(logging.INFO):
        return
    key = exchange.key
    line: dict[str, Any] = {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "request_id": exchange.request_id,
        "method": exchange.scope["method"][:20],
        "path": exchange.template,
        "status": exchange.status,
        "ms": round((perf_counter() - exchange.started) * 1_000, 2),
    }
    if key is not None:
        line |= {"key": key.id, "environment": key.environment}
    else:
        client = exchange.scope.get("client")
        line["client"] = client[0] if client else None
    # As `info` does, but for the search after the line of code that calls it.
    record = logging.LogRecord(access_log.name, logging.INFO, __file__, 0, line, None, None)
    access_log.handle(record)


def _log_failure(exchange: Exchange, error: Exception) -> None:
    service_log.error(
        "%s %s failed (%s)",
        exchange.scope["method"][:20],
        exchange.template,
        exchange.request_id,
        exc_info=error,
    )
