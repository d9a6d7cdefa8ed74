"""The middleware that every request passes: bounds, errors as envelopes, a line in the log."""

from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from services.contract.errors import (
    CreditAtlasError,
    InternalError,
    InvalidRequest,
    NotFound,
    RateLimited,
    ServiceUnavailable,
)

from .access import Access
from .exchange import HERE, Answer, Exchange, HeadersTooLarge, TargetTooLong, failure
from .log import log_failure, log_refusal, log_request
from .params import refuse_key

#: Path and query: the longest name of a party in any script fits, percent-encoded.
MAX_TARGET: Final = 16 * 1024
MAX_HEADERS: Final = 32 * 1024
#: Where the HTTP protocol says that what came was not a request, or too much of one.
FAULT: Final = "creditatlas.fault"
_FAILED: Final = 500


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
            # HEAD is routed as GET; uvicorn leaves the body out.
            routed = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
            await self._routes(routed, receive, send)
        except Exception as error:  # noqa: BLE001 - the last resort, answered and logged in full
            answer = await self._answer_to(exchange, error)
            await answer(scope, receive, send)
        finally:
            log_request(exchange)

    async def _answer_to(self, exchange: Exchange, raised: Exception) -> Answer:
        """An error as its envelope. Counted like any request, against key or address."""
        error = raised
        try:
            if not isinstance(error, ServiceUnavailable):  # it says that counting failed
                await self._access.count(exchange)
            if isinstance(error, NotFound):
                refuse_key(exchange.scope["query_string"])
        except (RateLimited, InvalidRequest, ServiceUnavailable) as other:
            error = other
        except Exception as other:  # noqa: BLE001 - counting failed: say so in the log
            error = other
        if isinstance(error, ServiceUnavailable):
            log_refusal(exchange, error)
        if isinstance(error, CreditAtlasError) and error.status not in (0, _FAILED):
            shown, status = error, error.status
        else:
            log_failure(exchange, error)
            shown = InternalError(
                "The service could not answer; try again, and name the request_id to support"
            )
            status = _FAILED
        body, headers = failure(shown, status, exchange.request_id, is_message=exchange.is_message)
        return Answer(exchange, status, body, headers)


def _check(scope: Scope) -> None:
    fault: CreditAtlasError | None = scope.get("extensions", {}).get(FAULT)
    if fault is not None:
        raise fault
    if len(scope["path"]) + len(scope["query_string"]) > MAX_TARGET:
        raise TargetTooLong(f"Path and query are longer than {MAX_TARGET:,} bytes")
    if sum(len(name) + len(value) for name, value in scope["headers"]) > MAX_HEADERS:
        raise HeadersTooLarge(f"The headers are larger than {MAX_HEADERS:,} bytes")
