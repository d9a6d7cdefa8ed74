"""Whether a service has our endpoints: by its own description, not by guessing (D189)."""

import json
from pathlib import Path

import pytest

from services.client.offered import DESCRIPTION, REMEMBERED_SECONDS
from services.client.protocol import Answer
from services.client.source import ApiSource
from services.contract.endpoints import CHANGES, HISTORY
from services.contract.errors import (
    BadPayload,
    Forbidden,
    InternalError,
    InvalidRequest,
    NotFound,
    NotOffered,
    RateLimited,
    Unreachable,
)
from services.contract.history import ChangeQuery, HistoryQuery
from tests.client.test_source import Script

GOLDENS = Path(__file__).parents[1] / "golden"
BOTH = {"paths": {"/v1/loans": {}, HISTORY.path: {}, CHANGES.path: {}}}
SIX = {"paths": {"/v1/loans": {}, "/v1/loans/{loan_number}": {}}}


def said(body, status=200, headers=()):
    return Answer(status, dict(headers), json.dumps(body).encode())


def refused(status, **headers):
    error = {"code": "x", "message": "No", "request_id": "req_1"}
    return said({"error": error}, status, headers.items())


def golden(name):
    return json.loads((GOLDENS / f"{name}.json").read_text(encoding="utf-8"))


def lines(name="history.a"):
    return said({"data": golden(name), "meta": {"request_id": "req_2"}})


def changed(name="changes.a", **paging):
    pagination = {"page": 1, "per_page": 25, "total": 2, **paging}
    return said({"data": golden(name), "pagination": pagination, "meta": {"request_id": "r"}})


def source_of(*answers, clock=lambda: 1_000.0):
    script = Script(*answers)
    return ApiSource(script, clock=clock, sleep=lambda _: None), script


def test_the_description_is_asked_for_once_and_then_the_endpoints():
    source, script = source_of(said(BOTH), lines(), lines("history.b"), changed())
    asked = HistoryQuery(since=None, sponsors=True)
    assert len(source.history("LN-20417", asked).rows) == 2
    assert source.history("LN-20417", HistoryQuery()).title == "Harbor 2017-C1"
    found = source.changes(ChangeQuery(kind=("special_in", "matured"), state=("TX",)))
    assert (found.found.total, found.compared) == (2, 62)
    assert [request.target for request in script.sent] == [
        "/openapi.json",
        "/v1/loans/LN-20417/history?sponsors=yes",
        "/v1/loans/LN-20417/history",
        "/v1/changes?state=TX&kind=matured%2Cspecial_in",
    ]


@pytest.mark.parametrize(
    "answer",
    [
        said(SIX),
        said({}),
        said([]),
        said({"paths": ["/v1/changes"]}),
        Answer(200, {}, b"<html>"),
        refused(404),
        refused(401),
        refused(403),
        refused(400),
        Answer(404, {}, b"gone"),
        Answer(302, {"location": "https://elsewhere.example/"}, b""),
    ],
)
def test_a_service_that_does_not_describe_them_is_never_asked(answer):
    source, script = source_of(answer)
    with pytest.raises(NotOffered) as caught:
        source.history("1", HistoryQuery())
    assert str(caught.value) == (
        "https://api.example.com does not offer /v1/loans/{loan_number}/history, which is an "
        "extension of Credit Atlas's own service"
    )
    with pytest.raises(NotOffered, match="/v1/changes"):
        source.changes(ChangeQuery())
    assert [request.path for request in script.sent] == [DESCRIPTION]


def test_what_keeps_a_service_from_answering_is_not_taken_for_a_no():
    late = [refused(503)] * 3
    source, script = source_of(*late, Unreachable("slow"), refused(429, **{"retry-after": "99"}))
    for fault in (InternalError, Unreachable, RateLimited):
        with pytest.raises(fault):
            source.history("1", HistoryQuery())
    script.answers = [said(BOTH)]
    assert source.offers(HISTORY)


def test_it_is_looked_up_again_after_a_while():
    now = [1_000.0]
    source, script = source_of(said(SIX), said(BOTH), clock=lambda: now[0])
    assert not source.offers(CHANGES)
    now[0] += REMEMBERED_SECONDS - 1
    assert not source.offers(CHANGES)
    now[0] += 1
    assert source.offers(CHANGES)
    assert len(script.sent) == 2


def test_another_loan_is_refused_and_a_page_that_contradicts_itself():
    source, _ = source_of(said(BOTH), lines(), changed(total=1), changed(page=2))
    with pytest.raises(BadPayload, match="asked for loan 'LN-1', the answer is about 'LN-20417'"):
        source.history("LN-1", HistoryQuery())
    for says in ("'total' is 1, but 2 records came", "asked for page 1, got page 2"):
        with pytest.raises(BadPayload, match=says):
            source.changes(ChangeQuery())


def test_refusals_name_the_tiers_that_open_the_question():
    source, _ = source_of(said(BOTH), *[refused(403)] * 3)
    for ask, tiers in (
        (lambda: source.history("1", HistoryQuery()), ("Base", "Complete")),
        (lambda: source.history("1", HistoryQuery(sponsors=True)), ("Complete",)),
        (lambda: source.changes(ChangeQuery(sponsors=True)), ("Complete",)),
    ):
        with pytest.raises(Forbidden) as caught:
            ask()
        assert caught.value.tiers == tiers


def test_what_cannot_be_asked_is_not_sent():
    source, script = source_of()
    for number in ("", "x" * 1_001, "\ud800"):
        with pytest.raises(NotFound):
            source.history(number, HistoryQuery())
    # Left out, the parameter would ask for all loans; with a comma in it for two others.
    for asked in ({"numbers": ()}, {"numbers": ("A,1",)}, {"numbers": (" A",)}, {"deal": ("x,y",)}):
        with pytest.raises(InvalidRequest, match="cannot be asked for names with commas"):
            source.changes(ChangeQuery(**asked))
    assert script.sent == []
