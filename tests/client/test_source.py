"""What a source keeps besides its answers: budget, counters, the calls behind a view."""

import ssl
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from pydantic import SecretStr

from services.client.calls import MAX_CALL_BYTES, MAX_CALLS
from services.client.protocol import Answer, Dropped
from services.client.seen import MAX_NAMES, OTHERS, Seen
from services.client.source import ApiSource
from services.client.transport import Transport
from services.contract.errors import InternalError, NotFound, Unreachable
from services.contract.paging import every
from services.contract.queries import EntityQuery, LoanQuery, PathQuery, SignalQuery
from services.contract.records import Loan
from services.contract.requests import Request, loan_request, request_for
from tests.client.fault_server import json_reply, reply


class Script:
    """A transport that answers from a list; exceptions in it are raised."""

    base_url = "https://api.example.com"

    def __init__(self, *answers: Answer | Exception) -> None:
        self.answers = list(answers)
        self.sent: list[Request] = []

    def get(self, request: Request) -> Answer:
        self.sent.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def conceal(self, text: str) -> str:
        return text

    def close(self) -> None:
        self.answers.clear()


def test_the_six_reads_ask_the_six_endpoints(sample):
    names = ["loans_variant_a", "loan_variant_b", "entities_variant_a", "ownership_variant_b"]
    names += ["paths_variant_b", "signals_variant_b"]
    script = Script(*map(sample, names))
    source = ApiSource(script, clock=lambda: 1_000.0)
    assert source.loans(LoanQuery(page=2, per_page=2)).total == 5
    assert source.loan("LN-0001").property_city == "Austin"
    assert source.entities(EntityQuery()).items[0].related_loan_count == 14
    assert len(source.ownership("LN-0001").chain) == 3
    result, page = source.paths(PathQuery(loan_number="LN-0001"))
    assert (len(result.paths), page.total) == (2, 2)
    assert source.signals(SignalQuery(per_page=100)).items[0].severity == "critical"
    assert [request.target for request in script.sent] == [
        "/v1/loans?page=2&per_page=2",
        "/v1/loans/LN-0001",
        "/v1/entities",
        "/v1/entities/LN-0001/ownership",
        "/v1/graph/paths?loan_number=LN-0001",
        "/v1/signals?per_page=100",
    ]
    assert [call.read for call in source.calls().values()] == [
        "loans", "loan", "entities", "ownership", "paths", "signals",
    ]  # fmt: skip
    assert (source.budget.remaining, source.budget.resets_at) == (57, 1_041.0)
    assert source.seen.variants["signal", "b"] == 1
    assert source.seen.variants["edge", "b"] == 3
    source.close()
    assert not script.answers


def test_the_call_behind_a_view_is_kept_as_it_was(sample):
    source = ApiSource(Script(sample("loans_variant_b")), clock=lambda: 1_000.0)
    query = LoanQuery(page=2, per_page=2)
    source.loans(query)
    call = source.calls()[request_for(query).target]
    assert (call.method, call.url) == (
        "GET",
        "https://api.example.com/v1/loans?page=2&per_page=2",
    )
    assert (call.status, call.request_id, call.seconds, call.at) == (200, "req_b1", 0.25, 1_000.0)
    assert call.body == sample("loans_variant_b").body.decode()
    assert (call.cut, call.attempt) == (False, 1)


def test_failed_and_unanswered_calls_are_kept_too(sample):
    failed = Answer(500, {}, b'{"error": {"request_id": "req_x"}}')
    script = Script(Dropped("gone"), failed, sample("bad_gateway"))
    source = ApiSource(script, sleep=lambda _: None)
    with pytest.raises(InternalError):
        source.loan("LN-1")
    (call,) = source.calls().values()
    assert (call.status, call.attempt, call.request_id) == (502, 3, None)
    script.answers = [Unreachable("slow")]
    with pytest.raises(Unreachable):
        source.loan("LN-1")
    (call,) = source.calls().values()
    assert (call.status, call.attempt, call.body) == (0, 1, "")


def test_calls_are_bounded_in_number_and_size():
    large = Answer(400, {}, b"\xff" + b"x" * MAX_CALL_BYTES)
    script = Script(*[large] * (MAX_CALLS + 5))
    source = ApiSource(script)
    for i in range(MAX_CALLS + 5):
        with pytest.raises(Exception, match="refused"):
            source.loan(f"LN-{i}")
    calls = source.calls()
    assert len(calls) == MAX_CALLS
    assert loan_request("LN-4").target not in calls
    assert all(call.cut and len(call.body) == MAX_CALL_BYTES for call in calls.values())


def test_what_cannot_be_a_loan_number_is_not_sent():
    script = Script()
    with pytest.raises(NotFound):
        ApiSource(script).loan("")
    assert not script.sent


def test_unknown_names_are_counted_up_to_a_bound():
    seen = Seen()
    for i in range(MAX_NAMES + 20):
        payload = {"loan_number": "1", f"field {i}": i}
        seen.add(payload, Loan(loan_number="1", extra={f"field {i}": i}))
    assert len(seen.unknown_fields) == MAX_NAMES + 1
    assert seen.unknown_fields["loan", OTHERS] == 20
    assert seen.absent_fields["loan", "book_value"] == MAX_NAMES + 20
    picture = seen.copy()
    seen.merge(picture)
    assert seen.unknown_fields["loan", OTHERS] == 40
    assert picture.unknown_fields["loan", OTHERS] == 20


def test_a_record_whose_keys_do_not_tell_its_variant_counts_for_neither():
    seen = Seen()
    seen.add({"loan_number": "1"}, Loan(loan_number="1"))
    assert not seen.variants


def test_pages_are_walked_to_the_last_and_no_further(source, server):
    def page(number: int, count: int):
        rows = [{"loan_number": f"LN-{number}-{i}"} for i in range(count)]
        paging = {"page": number, "per_page": 2, "total": 5}
        return json_reply({"data": rows, "pagination": paging})

    server.script(page(1, 2), page(2, 2), page(3, 1), reply(500))
    assert len(list(every(source.loans, LoanQuery(per_page=2)))) == 5
    assert [request.target for request in server.requests] == [
        "/v1/loans?per_page=2",
        "/v1/loans?page=2&per_page=2",
        "/v1/loans?page=3&per_page=2",
    ]


def test_readers_in_many_threads_share_one_source(source, server):
    paging = {"page": 1, "per_page": 25, "total": 1}
    loan = {"loan_number": "LN-1", "odd": 1}
    left = {"X-RateLimit-Remaining": "9"}
    server.script(json_reply({"data": [loan], "pagination": paging}, headers=left))
    with ThreadPoolExecutor(8) as readers:
        totals = [page.total for page in readers.map(source.loans, [LoanQuery()] * 64)]
    assert totals == [1] * 64
    assert source.seen.unknown_fields["loan", "odd"] == 64
    assert source.budget.remaining == 9


def test_an_untrusted_certificate_is_named_and_not_tried_again(server, slept):
    def fail(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("tls", request=request) from ssl.SSLCertVerificationError("self")

    with Transport(server.url, SecretStr("k" * 9)) as transport:
        transport._client.close()
        transport._client = httpx.Client(transport=httpx.MockTransport(fail))
        with pytest.raises(Unreachable, match=r"certificate of .* is not trusted"):
            ApiSource(transport, sleep=slept.append).loans(LoanQuery())
    assert slept == []
