"""Sources of all kinds: on a lease, plain, encoded beforehand; answers remembered by snapshot."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np
import pytest

from services.api import reads
from services.api.answers import dumps
from services.contract.records import (
    Edge,
    GraphPath,
    GraphResult,
    Loan,
    LoanDetail,
    Page,
)


class Counting:
    """A source of two loans that counts how often it was asked."""

    def __init__(self):
        self.asked = []

    def loans(self, query):
        self.asked.append(query)
        return Page(
            items=(Loan(loan_number="1"), Loan(loan_number="2")),
            page=query.page,
            per_page=query.per_page,
            total=2,
        )

    def loan(self, loan_number):
        self.asked.append(loan_number)
        return LoanDetail(loan_number=loan_number)


class Lending:
    """Hands out a source on a lease, under a snapshot's name that a test sets."""

    def __init__(self, source):
        self.source = source
        self.snapshot_id = "one"
        self.held = 0
        self.leases = 0

    @contextmanager
    def lease(self):
        self.held += 1
        self.leases += 1
        try:
            yield SimpleNamespace(source=self.source, snapshot_id=self.snapshot_id)
        finally:
            self.held -= 1


def test_the_same_question_of_the_same_snapshot_is_read_once(serve):
    lending = Lending(Counting())
    with serve(lending) as service:
        bodies = [service.get(path).body for path in ["/v1/loans", "/v1/loans?page=1&state="] * 3]
        assert len(lending.source.asked) == 1
        assert len({body["meta"]["request_id"] for body in bodies}) == 6
        assert all(body["data"] == bodies[0]["data"] for body in bodies)
        service.get("/v1/loans?page=2")
        service.get("/v1/loans/1")
        service.get("/v1/loans/1")
        assert len(lending.source.asked) == 3


def test_a_new_snapshot_is_read_at_once(serve, monkeypatch):
    # D49
    monkeypatch.setattr(reads, "SHARE_SECONDS", 0)
    lending = Lending(Counting())
    with serve(lending) as service:
        service.get("/v1/loans")
        lending.snapshot_id = "two"
        service.get("/v1/loans")
        service.get("/v1/loans")
    assert len(lending.source.asked) == 2


def test_each_request_holds_one_lease_and_gives_it_back(serve, monkeypatch):
    monkeypatch.setattr(reads, "SHARE_SECONDS", 0)
    lending = Lending(Counting())
    with serve(lending) as service:
        for path in ("/v1/loans", "/v1/loans/1", "/v1/graph/paths?loan_number=1"):
            service.get(path)
    assert (lending.leases, lending.held) == (3, 0)


def test_requests_share_a_lease_and_an_answer_until_its_time_is_over(serve, monkeypatch):
    # D49
    monkeypatch.setattr(reads, "SHARE_SECONDS", 1_000)
    lending = Lending(Counting())
    with serve(lending) as service:
        for _ in range(5):
            service.get("/v1/loans")
    assert (lending.leases, len(lending.source.asked)) == (1, 1)


def test_a_read_that_outlasts_the_time_of_its_lease_still_holds_it(serve, monkeypatch):
    monkeypatch.setattr(reads, "SHARE_SECONDS", 0)
    began, may_end = threading.Event(), threading.Event()

    class Slow(Counting):
        def loans(self, query):
            began.set()
            assert may_end.wait(30)
            return super().loans(query)

    lending = Lending(Slow())
    with serve(lending) as service, ThreadPoolExecutor(1) as other:
        answer = other.submit(service.get, "/v1/loans")
        assert began.wait(30)
        assert service.get("/v1/loans/1").status == 200  # by now the time of the first is over
        assert (lending.leases, lending.held) == (2, 1)
        may_end.set()
        assert answer.result().status == 200
        assert service.get("/v1/loans").status == 200
    assert lending.held == 0


def test_the_lease_of_a_read_that_fails_is_given_back(serve, monkeypatch, assert_error_shape):
    monkeypatch.setattr(reads, "SHARE_SECONDS", 0)
    lending = Lending(object())
    with serve(lending) as service:
        assert_error_shape(service.get("/v1/loans"), 500)
        assert_error_shape(service.get("/v1/loans"), 500)
    assert (lending.leases, lending.held) == (2, 0)


def test_a_lease_that_fails_is_a_500(serve, assert_error_shape):
    class Empty:
        @contextmanager
        def lease(self):
            raise OSError("no snapshot")
            yield

    with serve(Empty()) as service:
        assert_error_shape(service.get("/v1/loans"), 500)


def test_a_plain_source_is_asked_every_time(serve):
    source = Counting()
    with serve(source) as service:
        for _ in range(3):
            assert service.get("/v1/loans").body["pagination"]["total"] == 2
    assert len(source.asked) == 3


def test_production_and_sandbox_are_kept_apart(tmp_path, open_service):
    sources = {"production": Lending(Counting()), "sandbox": Lending(Counting())}
    with open_service(tmp_path, sources) as service:
        service.get("/v1/loans")
        service.get("/v1/loans", service.keys["base", "sandbox"])
    assert [len(lending.source.asked) for lending in sources.values()] == [1, 1]


class Ready(Counting):
    """A source that holds whole loans as the wire has them, but for those with an odd number."""

    def encoded_loan(self, loan_number, variant):
        if loan_number.startswith("odd"):
            return None
        return json.dumps({"loan_number": loan_number, "as": variant}).encode()


@pytest.mark.parametrize("variant", ["a", "b"])
def test_a_loan_encoded_beforehand_goes_out_as_it_is(serve, variant):
    source = Ready()
    with serve(source, variant=variant) as service:
        assert service.get("/v1/loans/7").body["data"] == {"loan_number": "7", "as": variant}
    assert source.asked == []


def test_loans_encoded_beforehand_share_a_lease_until_its_time_is_over(serve, monkeypatch):
    monkeypatch.setattr(reads, "SHARE_SECONDS", 1_000)
    lending = Lending(Ready())
    with serve(lending) as service:
        for number in range(5):
            assert service.get(f"/v1/loans/{number}").body["data"]["loan_number"] == str(number)
        assert (lending.leases, lending.held) == (1, 1)
        assert service.get("/v1/loans/odd").body["data"]["loan_number"] == "odd"
        assert lending.source.asked == ["odd"]
    assert lending.held == 0


def test_the_paths_that_are_sent_are_those_of_the_page(serve):
    class Walk:
        def paths(self, query):
            path = GraphPath(edges=(Edge(source=query.loan_number, target="b"),))
            return GraphResult(root="r"), Page(items=(path,), page=1, per_page=25, total=1)

    with serve(Walk()) as service:
        body = service.get("/v1/graph/paths?loan_number=1").body
    assert body["data"]["paths"][0]["edges"][0]["from"] == "1"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": float("nan")}, '{"a":null}'),
        ({"a": np.int64(7), "b": np.float64(0.5)}, '{"a":7,"b":0.5}'),
        ({"a": 2**70, "b": float("inf")}, '{"a":1180591620717411303424,"b":null}'),
        ({"a": "\ud800"}, '{"a":"\\ud800"}'),
        ({1: {"b", "a"}}, '{"1":["a","b"]}'),
    ],
)
def test_odd_values_of_a_source_are_still_json(value, text):
    assert dumps(value).decode() == text
