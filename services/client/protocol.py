"""From an answer to a record, or to the error it means; and when to try again. Performs no I/O.

Records are translated by `contract.wire` alone. Every check raises BadPayload naming path and key:
an answer that is not the promised shape never becomes an empty list (D19).
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, TypeVar

from pydantic_core import from_json

from services.client.seen import Seen
from services.contract.errors import (
    BadPayload,
    CreditAtlasError,
    InternalError,
    RateLimited,
    Unreachable,
)
from services.contract.history import ChangedLoan, ChangeQuery, Changes, LoanHistory
from services.contract.queries import PathQuery, Query, shortened
from services.contract.records import (
    GraphPath,
    GraphResult,
    LoanDetail,
    OwnershipChain,
    Page,
    Record,
)
from services.contract.requests import Request
from services.contract.wire import decode

R = TypeVar("R", bound=Record)
T = TypeVar("T")
V = TypeVar("V")
One = TypeVar("One", LoanDetail, OwnershipChain, LoanHistory)

OK: Final = 200
TRIES: Final = 3
#: Longest Retry-After that a page waits out, seconds; beyond it the page counts down instead.
RETRY_AFTER_CAP: Final = 5.0
_FIRST_DELAY: Final = 0.5
_BOM: Final = b"\xef\xbb\xbf"


class Dropped(Unreachable):
    """The connection failed or broke; another try may find it whole. A timeout is not one."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: names of headers in lower case, the body unpacked."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    #: From sending to the last byte.
    seconds: float = 0.0


class Decoded(NamedTuple, Generic[V]):
    """What an answer says, what it held beside the specified, and its request id."""

    value: V
    seen: Seen
    request_id: str | None


def retry_delay(
    error: CreditAtlasError,
    attempt: int,
    random: Callable[[], float],
    *,
    cap: float = RETRY_AFTER_CAP,
) -> float | None:
    """Seconds to wait after try number `attempt` (from 1) failed with `error`; null: give up.

    A 429 waits its Retry-After when that is at most `cap`, else fails at once. 500, 502, 503, 504
    and dropped connections wait 0.5 s doubled each time, shortened by up to half by `random` (0 to
    1) so that many clients do not return together (spec 7). Nothing else is tried again.
    """
    if attempt >= TRIES:
        return None
    if isinstance(error, RateLimited):
        return float(error.retry_after) if error.retry_after <= cap else None
    if isinstance(error, InternalError | Dropped):
        delay: float = _FIRST_DELAY * 2 ** (attempt - 1)
        return delay * (1 - random() / 2)
    return None


def decode_page(kind: type[R], request: Request, query: Query, answer: Answer) -> Decoded[Page[R]]:
    """The page of records of a list answer (spec 2.1).

    Raises BadPayload: wrong shape, a record without its identity, or `pagination` that contradicts
    what was asked or what came.
    """
    envelope = _Envelope(request, answer)
    payloads = envelope.data
    if not isinstance(payloads, list):
        raise envelope.bad("'data' must be a list of records", "data")
    seen = Seen()
    with envelope:
        items = tuple(
            decode(kind, payload, f"{request.path} data[{i}]") for i, payload in enumerate(payloads)
        )
    for payload, item in zip(payloads, items, strict=True):
        seen.add(payload, item)
    return Decoded(envelope.page(query, items), seen, envelope.request_id)


def decode_one(kind: type[One], request: Request, loan_number: str, answer: Answer) -> Decoded[One]:
    """The record of a single-record answer (spec 4.2, 4.4). Raises BadPayload.

    A record of another loan is refused: a proxy that rewrites paths must not pass one off as this.
    """
    envelope = _Envelope(request, answer)
    record = envelope.record(kind)
    if record.loan_number.strip().casefold() != loan_number.strip().casefold():
        raise envelope.bad(
            f"asked for loan '{shortened(loan_number)}', the answer is about "
            f"'{shortened(record.loan_number)}'",
            "loan_number",
        )
    seen = Seen()
    seen.add(envelope.data, record)
    return Decoded(record, seen, envelope.request_id)


def decode_graph(
    request: Request, query: PathQuery, answer: Answer
) -> Decoded[tuple[GraphResult, Page[GraphPath]]]:
    """The walk and the page of its paths (spec 4.5). Raises BadPayload."""
    envelope = _Envelope(request, answer)
    result = envelope.record(GraphResult)
    seen = Seen()
    seen.add(envelope.data, result)
    page = envelope.page(query, result.paths)
    return Decoded((result, page), seen, envelope.request_id)


def decode_changes(request: Request, query: ChangeQuery, answer: Answer) -> Decoded[Changes]:
    """What changed, and the page of its loans (D187). Raises BadPayload."""
    envelope = _Envelope(request, answer)
    result = envelope.record(Changes)
    page: Page[ChangedLoan] = envelope.page(query, result.found.items)
    return Decoded(result.model_copy(update={"found": page}), Seen(), envelope.request_id)


class _Envelope:
    """An answer's outer object. As a context it adds the request id to errors inside."""

    def __init__(self, request: Request, answer: Answer) -> None:
        self._path = request.path
        self.request_id: str | None = None
        whole = _parsed(request, answer)
        meta = whole.get("meta")
        if isinstance(meta, Mapping) and isinstance(meta.get("request_id"), str):
            self.request_id = shortened(meta["request_id"])
        if whole.get("data") is None:
            raise self.bad("the answer has no 'data'", "data")
        self.data: Any = whole["data"]
        self._pagination: Any = whole.get("pagination")

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, BadPayload):
            error.request_id = self.request_id

    def bad(self, what: str, key: str) -> BadPayload:
        return BadPayload(
            f"{self._path}: {what}", path=self._path, key=key, request_id=self.request_id
        )

    def record(self, kind: type[R]) -> R:
        with self:
            return decode(kind, self.data, f"{self._path} data")

    def page(self, query: Query, items: tuple[T, ...]) -> Page[T]:
        if not isinstance(self._pagination, Mapping):
            raise self.bad("'pagination' must be an object, as every list has", "pagination")
        page = self._count("page", 1)
        per_page = self._count("per_page", 1)
        total = self._count("total", 0)
        before = (page - 1) * per_page
        if page != query.page:
            raise self.bad(f"asked for page {query.page}, got page {page}", "pagination.page")
        if per_page > query.per_page:
            # Pages of another size hold other records than the ones asked for.
            raise self.bad(
                f"asked for {query.per_page} records a page, got pages of {per_page}",
                "pagination.per_page",
            )
        if len(items) > per_page:
            raise self.bad(
                f"{len(items)} records came on a page of {per_page}", "pagination.per_page"
            )
        if items and before + len(items) > total:
            raise self.bad(
                f"'total' is {total}, but {before + len(items)} records came up to this page",
                "pagination.total",
            )
        if not items and before < total:
            raise self.bad(
                f"page {page} is empty, but 'total' promises {total} records", "pagination.total"
            )
        return Page(items=items, page=page, per_page=per_page, total=total)

    def _count(self, name: str, least: int) -> int:
        value = self._pagination.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise self.bad(
                f"'pagination.{name}' must be a whole number from {least}", f"pagination.{name}"
            )
        return value


def _parsed(request: Request, answer: Answer) -> dict[str, Any]:
    body = answer.body.removeprefix(_BOM)
    path = request.path
    if body.lstrip()[:1] == b"<":
        raise BadPayload(
            f"{path}: the answer is a web page, not JSON; a proxy or a login page may stand "
            "between, or CREDIT_ATLAS_API_URL names another service",
            path=path,
        )
    try:
        whole = from_json(body, allow_inf_nan=False)
    except ValueError as error:
        fault = shortened(str(error), 80)
        raise BadPayload(
            f"{path}: the answer is not whole, valid JSON ({fault})", path=path
        ) from None
    if not isinstance(whole, dict):
        raise BadPayload(f"{path}: the answer is not an object with 'data'", path=path, key="data")
    # The parser refuses NaN but reads 1e400 as infinity, which no later step could write again.
    if any(isinstance(leaf, float) and not math.isfinite(leaf) for leaf in _leaves(whole)):
        raise BadPayload(f"{path}: the answer holds a number too large to be one", path=path)
    return whole


def _leaves(value: object) -> Iterator[object]:
    pending = [value]
    while pending:
        one = pending.pop()
        if isinstance(one, dict):
            pending.extend(one.values())
        elif isinstance(one, list):
            pending.extend(one)
        else:
            yield one
