"""What every answer of the service says beside its words, whoever asks from wherever."""

import pytest

from tests.nonsense import PATHS, tells_nothing
from tests.shown_alone import shown_alone


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        ("/v1/loans", "GET", 200),
        ("/v1/loans?page=0", "GET", 400),
        ("/v1/loans/none", "GET", 404),
        ("/v1/signals", "GET", 200),
        ("/v1/loans/", "GET", 404),
        ("/V1/loans", "GET", 404),
        ("/v1//loans", "GET", 404),
        ("/nowhere", "GET", 404),
        ("/", "GET", 404),
        ("/v1/loans", "POST", 405),
        ("/v1/loans", "OPTIONS", 405),
        ("/openapi.json", "GET", 200),
        ("/healthz", "GET", 200),
        ("/readyz", "GET", 200),
    ],
)
def test_every_answer_is_shown_alone_kept_by_nobody_and_sends_nobody_on(
    service, path, method, status
):
    from_elsewhere = [("Origin", "http://evil.example")]
    answer = service.get(path, method=method, headers=from_elsewhere)
    assert answer.status == status
    unsigned = service.get(path, None, method=method)
    assert unsigned.status in {status, 401}
    for one in (answer, unsigned):
        shown_alone(one.headers)
        assert "location" not in one.headers
        if not path.endswith("z"):
            assert one.headers["content-type"] == "application/json"
            assert one.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/", "/loans", "/v1/loans", "/healthz", "/static/js/x.js"])
def test_trace_echoes_nothing(service, path):
    answer = service.get(path, None, method="TRACE", headers=[("X-Echo", "to come back")])
    assert answer.status in {404, 405}
    assert b"to come back" not in answer.raw


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
def test_no_answer_to_nonsense_tells_of_the_inside(service, method):
    for path in PATHS:
        answer = service.get(path, None, method=method, headers=[("Content-Length", "0")])
        tells_nothing(path, answer.status, answer.raw)
