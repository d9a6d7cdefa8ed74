"""Status to error (spec 7), licence tiers (spec 8.4), and when another try is made."""

import pytest

from services.client.failures import failure
from services.client.protocol import Answer, Dropped, retry_delay
from services.contract.errors import (
    BadPayload,
    Forbidden,
    InternalError,
    InvalidRequest,
    NotFound,
    RateLimited,
    Unauthorized,
    Unreachable,
)
from services.contract.queries import EntityQuery, LoanQuery, PathQuery, SignalQuery
from services.contract.requests import loan_request, ownership_request, request_for

LOANS = request_for(LoanQuery())
NOW = 1_791_200_000.0
SAID = b'{"error": {"code": "any", "message": "Loan is  not\\nhere", "request_id": "req_1"}}'


def meant(status: int, body: bytes = SAID, request=LOANS, **headers: str):
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    return failure(request, Answer(status, fields, body), NOW)


def test_status_200_is_no_failure():
    assert meant(200) is None


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, InvalidRequest),
        (401, Unauthorized),
        (403, Forbidden),
        (404, NotFound),
        (405, InvalidRequest),
        (414, InvalidRequest),
        (422, InvalidRequest),
        (429, RateLimited),
        (500, InternalError),
        (502, InternalError),
        (503, InternalError),
        (504, InternalError),
        (201, BadPayload),
        (204, BadPayload),
        (206, BadPayload),
        (301, BadPayload),
        (304, BadPayload),
        (700, BadPayload),
    ],
)
def test_each_status_has_its_error_with_the_request_id(status, kind):
    error = meant(status)
    assert type(error) is kind
    assert error.request_id == "req_1"
    assert "\n" not in str(error)
    if kind is InternalError:
        assert error.status == status


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>", b"null", b"[]", b'{"error": "no"}', b'{"error": {"message": 5}}', b"\xff"],
)
def test_an_error_is_told_by_its_status_whatever_its_body(body):
    # D13
    assert isinstance(meant(401, body), Unauthorized)
    assert isinstance(meant(403, body), Forbidden)
    assert isinstance(meant(429, body), RateLimited)
    assert isinstance(meant(502, body), InternalError)
    assert meant(502, body).request_id is None


@pytest.mark.parametrize("body", [b"", b"<html>404</html>", b'{"detail": "Not Found"}'])
def test_a_404_without_the_error_body_is_a_wrong_address_not_a_missing_loan(body):
    error = meant(404, body, loan_request("LN-1"))
    assert isinstance(error, BadPayload)
    assert "CREDIT_ATLAS_API_URL" in str(error)


def test_messages_of_the_service_are_one_printable_line_of_bounded_length():
    assert str(meant(404)) == "Loan is not here (request req_1)"
    long = b'{"error": {"message": "' + b"x" * 5_000 + b'\\u0007"}}'
    assert len(str(meant(400, long))) < 400


def test_the_recorded_errors(sample):
    limited = failure(LOANS, sample("rate_limited"), NOW)
    assert isinstance(limited, RateLimited)
    assert (limited.retry_after, limited.request_id) == (17, "req_e1")
    assert "17 s" in str(limited)
    forbidden = failure(request_for(PathQuery(loan_number="1")), sample("forbidden"), NOW)
    assert str(forbidden) == (
        "The key's licence does not cover /v1/graph/paths; "
        "the tier Capital Graph or Complete opens it (request req_e2)"
    )
    invalid = failure(LOANS, sample("invalid_request"), NOW)
    assert "Parameter 'state' is 'ZZ'" in str(invalid)
    assert failure(LOANS, sample("bad_gateway"), NOW).status == 502


@pytest.mark.parametrize(
    ("request_", "endpoint", "tiers"),
    [
        (LOANS, "/v1/loans", ("Base", "Complete")),
        (loan_request("LN-1"), "/v1/loans", ("Base", "Complete")),
        (request_for(SignalQuery()), "/v1/signals", ("Base", "Complete")),
        (request_for(EntityQuery()), "/v1/entities", ("Resolution", "Complete")),
        (ownership_request("LN-1"), "/v1/entities/*/ownership", ("Resolution", "Complete")),
        (
            request_for(PathQuery(loan_number="1")),
            "/v1/graph/paths",
            ("Capital Graph", "Complete"),
        ),
    ],
)
def test_forbidden_names_the_tiers_that_open_the_endpoint(request_, endpoint, tiers):
    error = meant(403, request=request_)
    assert error.tiers == tiers == request_.endpoint.tier_names
    assert f"does not cover {endpoint};" in str(error)


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry_after": "17"}, 17),
        ({"retry_after": "0"}, 1),
        ({}, 60),
        ({"retry_after": "soon"}, 60),
        ({"x_ratelimit_reset": "3"}, 60),  # D15: never waited on
        (
            {
                "retry_after": "Mon, 05 Oct 2026 12:00:04 GMT",
                "date": "Mon, 05 Oct 2026 12:00:00 GMT",
            },
            4,
        ),
    ],
)
def test_the_wait_of_a_429(headers, wait):
    # D43
    assert meant(429, **headers).retry_after == wait


@pytest.mark.parametrize(
    ("location", "said"),
    [
        ("https://other.example/v1/loans?key=x", "to other.example"),
        ("/elsewhere", "elsewhere"),
        ("", "elsewhere"),
        ("https://[bad", "elsewhere"),
    ],
)
def test_a_redirect_is_refused_in_one_sentence(location, said):
    # D42
    error = meant(302, b"", location=location)
    assert said in str(error)
    assert "?key" not in str(error)


WAITS = [
    (InternalError("x"), [0.5, 1.0, None]),
    (Dropped("x"), [0.5, 1.0, None]),
    (RateLimited("x", retry_after=1), [1.0, 1.0, None]),
    (RateLimited("x", retry_after=5), [5.0, 5.0, None]),
    (RateLimited("x", retry_after=6), [None, None, None]),
    (Unreachable("x"), [None, None, None]),
    (BadPayload("x", path="/v1/loans"), [None, None, None]),
    (InvalidRequest("x"), [None, None, None]),
    (Unauthorized("x"), [None, None, None]),
    (Forbidden("x"), [None, None, None]),
    (NotFound("x"), [None, None, None]),
]


@pytest.mark.parametrize(("error", "waits"), WAITS, ids=lambda value: type(value).__name__)
def test_every_error_at_every_attempt(error, waits):
    assert [retry_delay(error, attempt, lambda: 0.0) for attempt in (1, 2, 3)] == waits


def test_jitter_shortens_a_back_off_by_up_to_half_and_never_a_retry_after():
    assert retry_delay(InternalError("x"), 1, lambda: 1.0) == 0.25
    assert retry_delay(InternalError("x"), 2, lambda: 0.5) == 0.75
    assert retry_delay(RateLimited("x", retry_after=3), 1, lambda: 1.0) == 3.0


def test_the_cap_is_a_setting():
    limited = RateLimited("x", retry_after=60)
    assert retry_delay(limited, 1, lambda: 0.0, cap=60) == 60.0
    assert retry_delay(limited, 1, lambda: 0.0, cap=59) is None
