"""Every way to be refused answers in one shape (spec 7) with the headers of spec 8."""

import logging

import pytest

from services.contract.errors import BadPayload, NotFound, RateLimited, Unauthorized

BAD = [
    ("/v1/loans?per_page=101", "'per_page' is '101' but must be at most 100"),
    ("/v1/loans?page=0", "'page' is '0' but must be at least 1"),
    ("/v1/loans?page=abc", "must be a whole number"),
    ("/v1/loans?stat=TX", "did you mean 'state'?"),
    ("/v1/loans?state=XX", "'state' is 'XX'"),
    ("/v1/loans?state=TX&state=CA", "'state' is given more than once"),
    ("/v1/loans?state=TX&state=", "'state' is given more than once"),
    ("/v1/loans?min_balance=1e9", "'min_balance' is '1e9'"),
    ("/v1/loans?maturity_before=2027-02-30", "is not a day of the calendar"),
    ("/v1/loans?lender=%00", "must be readable text"),
    ("/v1/loans?lender=%FF%FE", "not percent-encoded UTF-8"),
    ("/v1/loans?" + "&".join(f"a{n}=1" for n in range(51)), "more than 50 parameters"),
    ("/v1/loans/CA-000001?verbose=1", "Unknown parameter 'verbose'; this path takes none"),
    ("/v1/loans/" + "9" * 1001, "at most 1000 characters"),
    ("/v1/loans/a%00b", "must be readable text"),
    ("/v1/entities?confidence_min=1.1", "must be at most 1"),
    ("/v1/entities?confidence_min=nan", "must be a number"),
    ("/v1/entities?name=" + "x" * 201, "at most 200 characters"),
    ("/v1/graph/paths", "Give exactly one of 'loan_number' and 'entity_name'"),
    ("/v1/graph/paths?loan_number=1&entity_name=2", "Give exactly one"),
    ("/v1/graph/paths?loan_number=CA-000001&depth=7", "'depth' is '7' but must be at most 6"),
    ("/v1/graph/paths?loan_number=CA-000001&per_page=26", "must be at most 25"),
    ("/v1/signals?severity=%20", "must be readable text"),
    ("/openapi.json?x=1", "this path takes none"),
]


@pytest.mark.parametrize(("path", "says"), BAD, ids=[path[:50] for path, _ in BAD])
def test_a_bad_parameter_is_a_400_that_names_it(service, path, says, assert_error_shape):
    assert_error_shape(service.get(path), 400, says)


@pytest.mark.parametrize(
    "path",
    ["/", "/v1", "/v1/loans/", "/v1/nothing", "/v2/loans", "/V1/loans", "/docs", "/redoc",
     "/v1/entities/ownership", "/v1/entities/CA-000001/owners", "/v1/graph/paths/", "//v1/loans"],
)  # fmt: skip
@pytest.mark.parametrize("key", ["complete", None])
def test_an_unknown_path_is_a_404(service, path, key, assert_error_shape):
    # D13, D46
    assert_error_shape(service.get(path, key), 404, "no such path")


@pytest.mark.parametrize(
    "path",
    ["/v1/loans/CA-999999", "/v1/entities/CA-999999/ownership",
     "/v1/graph/paths?loan_number=CA-999999", "/v1/graph/paths?entity_name=Nobody"],
)  # fmt: skip
def test_an_unknown_record_is_a_404(service, path, assert_error_shape):
    assert_error_shape(service.get(path), 404, "No ")


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
@pytest.mark.parametrize("path", ["/v1/loans", "/v1/loans/x", "/v1/graph/paths", "/openapi.json"])
def test_what_is_not_get_is_a_405(service, method, path, assert_error_shape):
    # D13, D46
    answer = service.get(path, method=method)
    assert_error_shape(answer, 405, method)
    assert answer.headers["allow"] == "GET, HEAD"


@pytest.mark.parametrize(
    ("path", "key", "status"),
    [("/v1/loans?state=TX", "complete", 200), ("/openapi.json", None, 200),
     ("/v1/loans", None, 401), ("/v1/loans/none", "complete", 404), ("/nowhere", None, 404)],
)  # fmt: skip
def test_head_is_answered_as_get_without_the_body(service, assert_headers, path, key, status):
    # D13, D46, D111, D144
    asked, got = (service.get(path, key, method=method) for method in ("HEAD", "GET"))
    assert (asked.status, got.status, asked.raw) == (status, status, b"")
    assert asked.headers["content-length"] == str(len(got.raw))
    assert_headers(asked)


class Failing:
    """A source that raises one error at every read."""

    def __init__(self, error):
        self.error = error

    def loan(self, loan_number):
        del loan_number
        raise self.error


@pytest.mark.parametrize(
    "error",
    [ZeroDivisionError("secret detail"), BadPayload("secret detail", path="/v1/loans"),
     Unauthorized("secret detail"), OSError("secret detail")],
    ids=lambda error: type(error).__name__,
)  # fmt: skip
def test_a_failure_is_a_500_whose_detail_is_only_in_the_log(
    serve, error, assert_error_shape, caplog
):
    with caplog.at_level(logging.ERROR), serve(Failing(error)) as service:
        answer = service.get("/v1/loans/1")
    assert_error_shape(answer, 500, "request_id")
    assert b"secret" not in answer.raw
    assert "secret detail" in caplog.text
    assert answer.body["error"]["request_id"] in caplog.text


def test_what_a_source_says_of_the_question_is_passed_on(serve, assert_error_shape):
    with serve(Failing(NotFound("No loan has the number '1'"))) as service:
        assert_error_shape(service.get("/v1/loans/1"), 404, "No loan has the number '1'")
    with serve(Failing(RateLimited("Upstream is busy", retry_after=7))) as service:
        answer = service.get("/v1/loans/1")
        assert_error_shape(answer, 429, "Upstream is busy")
        assert answer.headers["retry-after"] == "7"
