"""Which error an answer other than 200 means (spec 7, D13): by its status, in its own words."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from pydantic_core import from_json

from services.client.budget import retry_after
from services.client.protocol import OK, Answer
from services.contract.errors import (
    BadPayload,
    CreditAtlasError,
    Forbidden,
    InternalError,
    InvalidRequest,
    NotFound,
    RateLimited,
    Unauthorized,
)
from services.contract.queries import shortened
from services.contract.requests import Request

#: Wait that a 429 without a Retry-After is taken to ask for: the length of its window (spec 8.3).
WINDOW_SECONDS: Final = 60
_LONGEST_MESSAGE: Final = 300
_REDIRECTS: Final = range(300, 400)
_REFUSED: Final = range(400, 500)
_FAILED: Final = range(500, 600)


def failure(request: Request, answer: Answer, now: float) -> CreditAtlasError | None:
    """The error that an answer stands for, with its request id; None for 200.

    `now`, seconds since 1970, measures a Retry-After that is a date.
    """
    if answer.status == OK:
        return None
    said = _error_body(answer.body)
    request_id = _text(said, "request_id", 60)
    error = _meant(request, answer, now, said)
    error.request_id = request_id
    return error


def _meant(
    request: Request, answer: Answer, now: float, said: Mapping[str, Any]
) -> CreditAtlasError:
    match answer.status:
        case 401:
            return Unauthorized(
                "The service does not accept the key; check CREDIT_ATLAS_API_KEY and that its "
                "licence has not ended"
            )
        case 403:
            tiers = request.tier_names
            return Forbidden(
                f"The key's licence does not cover {_endpoint(request)}; "
                f"the tier {' or '.join(tiers)} opens it",
                tiers=tiers,
                read=request.endpoint.read,
            )
        case 404:
            return _not_found(request.path, said)
        case 429:
            wait = retry_after(answer.headers, now) or WINDOW_SECONDS
            return RateLimited(
                f"The key's request limit is reached; the service answers again in {wait} s",
                retry_after=wait,
            )
        case _:
            return _of_class(request.path, answer, said)


def _of_class(path: str, answer: Answer, said: Mapping[str, Any]) -> CreditAtlasError:
    status = answer.status
    if status in _FAILED:
        error = InternalError(f"The service failed on {path} (status {status}); try again later")
        error.status = status
        return error
    if status in _REFUSED:
        message = _text(said, "message", _LONGEST_MESSAGE)
        reason = f": {message}" if message else "; it did not say why"
        return InvalidRequest(f"The service refused {path} (status {status}){reason}")
    if status in _REDIRECTS:
        return BadPayload(_redirected(path, status, answer.headers.get("location", "")), path=path)
    return BadPayload(f"{path}: status {status} is not one that the service has", path=path)


def _not_found(path: str, said: Mapping[str, Any]) -> CreditAtlasError:
    if not said:
        # Without the service's own error body it is the address that is not found, not the loan.
        return BadPayload(
            f"{path}: status 404 without the service's error body; "
            "CREDIT_ATLAS_API_URL may name another service",
            path=path,
            key="error",
        )
    return NotFound(_text(said, "message", _LONGEST_MESSAGE) or f"Nothing is found at {path}")


def _endpoint(request: Request) -> str:
    """Its path as licences name it: one loan goes under the list of loans (D48)."""
    return request.endpoint.path.removesuffix("/{loan_number}").replace("{loan_number}", "*")


def _redirected(path: str, status: int, location: str) -> str:
    try:
        host = urlsplit(location).hostname
    except ValueError:
        host = None
    where = f"to {shortened(host)}" if host else "elsewhere"
    return (
        f"{path}: the answer sends the request {where} (status {status}), which is not followed "
        "because the key would go along; set CREDIT_ATLAS_API_URL to the final address"
    )


def _error_body(body: bytes) -> Mapping[str, Any]:
    try:
        whole = from_json(body)
    except ValueError:
        return {}
    said = whole.get("error") if isinstance(whole, dict) else None
    return said if isinstance(said, dict) else {}


def _text(said: Mapping[str, Any], key: str, limit: int) -> str | None:
    value = said.get(key)
    tidy = shortened(" ".join(value[: 4 * limit].split()), limit) if isinstance(value, str) else ""
    return tidy or None
