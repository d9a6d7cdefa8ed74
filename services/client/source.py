"""The vendor's service at the waist: send, decide, sleep."""

import random  # noqa: TID251 - jitter of retries, no secret
import time
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any, Final, Protocol, Self, TypeVar

from pydantic import SecretStr

from services.client.budget import Budget
from services.client.calls import Call, CallLog, call_of
from services.client.failures import failure
from services.client.offered import DESCRIPTION, REMEMBERED_SECONDS, paths_of
from services.client.protocol import (
    RETRY_AFTER_CAP,
    Answer,
    Decoded,
    decode_changes,
    decode_graph,
    decode_one,
    decode_page,
    retry_delay,
)
from services.client.seen import Seen
from services.client.transport import MAX_BYTES, TIMEOUT_SECONDS, Transport
from services.contract.endpoints import CHANGES, HISTORY, Endpoint
from services.contract.errors import (
    BadPayload,
    CreditAtlasError,
    Forbidden,
    InvalidRequest,
    NoHistory,
    NotFound,
    NotOffered,
    Unauthorized,
)
from services.contract.history import ChangeQuery, Changes, HistoryQuery, LoanHistory
from services.contract.queries import EntityQuery, LoanQuery, PathQuery, Query, SignalQuery, parse
from services.contract.records import (
    Entity,
    GraphPath,
    GraphResult,
    Loan,
    LoanDetail,
    OwnershipChain,
    Page,
    Record,
    Signal,
)
from services.contract.requests import (
    Request,
    history_request,
    loan_request,
    ownership_request,
    request_for,
)

#: Answers to the question for a description that mean that there is none.
_NO_DESCRIPTION: Final = (BadPayload, Forbidden, InvalidRequest, NotFound, Unauthorized)
R = TypeVar("R", bound=Record)
One = TypeVar("One", LoanDetail, OwnershipChain, LoanHistory)
T = TypeVar("T")


class Sender(Protocol):
    """What the loop needs of a transport."""

    @property
    def base_url(self) -> str:
        """The service's address, without a slash at its end."""
        ...

    def get(self, request: Request) -> Answer:
        """See Transport.get."""
        ...

    def conceal(self, text: str) -> str:
        """See Transport.conceal."""
        ...

    def close(self) -> None:
        """See Transport.close."""
        ...


class ApiSource:
    """The six reads of CreditSource, and those of Histories, over HTTP.

    Safe for several threads. Raises, beside what these do: NotOffered where the service has no
    histories, Unauthorized, Forbidden (with the tiers that open the endpoint), RateLimited,
    InternalError, Unreachable, BadPayload. `retry_after_cap_seconds` is the longest Retry-After
    that a read waits out.
    """

    def __init__(
        self,
        transport: Sender,
        *,
        retry_after_cap_seconds: float = RETRY_AFTER_CAP,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
        random: Callable[[], float] = random.random,
    ) -> None:
        self._transport = transport
        self._cap = retry_after_cap_seconds
        self._clock = clock
        self._sleep = sleep
        self._random = random
        self._guard = Lock()
        self._budget = Budget()
        self._seen = Seen()
        self._calls = CallLog()
        self._offered: frozenset[str] = frozenset()
        self._offered_until = 0.0

    def __repr__(self) -> str:
        return f"ApiSource({self.base_url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    @property
    def base_url(self) -> str:
        """The service's address."""
        return self._transport.base_url

    @property
    def budget(self) -> Budget:
        """What the last answers said about the key's limits."""
        return self._budget

    @property
    def seen(self) -> Seen:
        """What the answers so far held beyond the specification, and lacked (D19): a picture."""
        with self._guard:
            return self._seen.copy()

    def calls(self) -> Mapping[str, Call]:
        """The newest exchange by `Request.target`, oldest first, MAX_CALLS at most."""
        with self._guard:
            return self._calls.picture()

    def loans(self, query: LoanQuery) -> Page[Loan]:
        """See CreditSource."""
        return self._page(Loan, query)

    def loan(self, loan_number: str) -> LoanDetail:
        """See CreditSource."""
        return self._one(LoanDetail, loan_request(loan_number), loan_number)

    def entities(self, query: EntityQuery) -> Page[Entity]:
        """See CreditSource."""
        return self._page(Entity, query)

    def ownership(self, loan_number: str) -> OwnershipChain:
        """See CreditSource."""
        return self._one(OwnershipChain, ownership_request(loan_number), loan_number)

    def paths(self, query: PathQuery) -> tuple[GraphResult, Page[GraphPath]]:
        """See CreditSource."""
        request = request_for(query)
        return self._read(request, lambda answer: decode_graph(request, query, answer))

    def signals(self, query: SignalQuery) -> Page[Signal]:
        """See CreditSource."""
        return self._page(Signal, query)

    def history(self, loan_number: str, query: HistoryQuery) -> LoanHistory:
        """See Histories. Raises NotOffered."""
        request = history_request(loan_number, query)
        self._require(HISTORY)
        return self._one(LoanHistory, request, loan_number)

    def changes(self, query: ChangeQuery) -> Changes:
        """See Histories. Raises NotOffered; InvalidRequest for what no address can say."""
        request = request_for(query)
        if parse(ChangeQuery, request.params) != query:
            raise InvalidRequest(
                f"{request.path} cannot be asked for names with commas, nor for no loan at all"
            )
        self._require(CHANGES)
        try:
            return self._read(request, lambda answer: decode_changes(request, query, answer))
        except NotFound as error:
            # Nothing else is looked up there.
            raise NoHistory(error.message, request_id=error.request_id) from None

    def offers(self, endpoint: Endpoint[..., Any]) -> bool:
        """Whether the service's own description names an endpoint beyond the specification.

        One request, then remembered for a while. Raises what keeps the service from answering.
        """
        if self._clock() >= self._offered_until:
            request = Request(endpoint, DESCRIPTION)
            try:
                self._offered = self._read(request, paths_of)
            except _NO_DESCRIPTION:
                self._offered = frozenset()
            self._offered_until = self._clock() + REMEMBERED_SECONDS
        return endpoint.path in self._offered

    def _require(self, endpoint: Endpoint[..., Any]) -> None:
        if not self.offers(endpoint):
            raise NotOffered(
                f"{self.base_url} does not offer {endpoint.path}, which is an extension of Credit "
                "Atlas's own service"
            )

    def _page(self, kind: type[R], query: Query) -> Page[R]:
        request = request_for(query)
        return self._read(request, lambda answer: decode_page(kind, request, query, answer))

    def _one(self, kind: type[One], request: Request, loan_number: str) -> One:
        return self._read(request, lambda answer: decode_one(kind, request, loan_number, answer))

    def _read(self, request: Request, decode: Callable[[Answer], Decoded[T]]) -> T:
        attempt = 1
        while True:
            try:
                return self._once(request, decode, attempt)
            except CreditAtlasError as error:
                delay = retry_delay(error, attempt, self._random, cap=self._cap)
                if delay is None:
                    raise
            self._sleep(delay)
            attempt += 1

    def _once(self, request: Request, decode: Callable[[Answer], Decoded[T]], attempt: int) -> T:
        answer: Answer | None = None
        request_id: str | None = None
        try:
            answer = self._transport.get(request)
            fault = failure(request, answer, self._clock())
            if fault is not None:
                raise fault
            decoded = decode(answer)
            request_id = decoded.request_id
        except CreditAtlasError as error:
            request_id = error.request_id
            # The transport struck the key out as written; JSON escapes are undone only since.
            error.message = self._transport.conceal(error.message)
            error.args = (error.message,)
            raise
        finally:
            self._note(request, answer, request_id, attempt)
        with self._guard:
            self._seen.merge(decoded.seen)
        return decoded.value

    def _note(
        self, request: Request, answer: Answer | None, request_id: str | None, attempt: int
    ) -> None:
        now = self._clock()
        call = call_of(self.base_url, request, answer, request_id, now, attempt)
        with self._guard:
            if answer is not None:
                self._budget = self._budget.after(answer.headers, now)
            self._calls.add(request.target, call)


def connect(
    base_url: str,
    key: SecretStr,
    *,
    timeout_seconds: float = TIMEOUT_SECONDS,
    retry_after_cap_seconds: float = RETRY_AFTER_CAP,
    max_bytes: int = MAX_BYTES,
    trust_env: bool = False,
    allow_plain_http: bool = False,
) -> ApiSource:
    """An ApiSource over a Transport of its own; nothing is sent yet. Raises SettingsInvalid."""
    transport = Transport(
        base_url,
        key,
        timeout_seconds=timeout_seconds,
        max_bytes=max_bytes,
        trust_env=trust_env,
        allow_plain_http=allow_plain_http,
    )
    return ApiSource(transport, retry_after_cap_seconds=retry_after_cap_seconds)
