"""Answers of another shape than promised: each names path and key, none is an empty list (D19)."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.client.protocol import Answer, decode_graph, decode_one, decode_page
from services.contract.errors import BadPayload
from services.contract.queries import LoanQuery, PathQuery
from services.contract.records import Loan, LoanDetail, OwnershipChain, Page
from services.contract.requests import loan_request, ownership_request, request_for

WALK = PathQuery(loan_number="LN-0001")


def answer(body: object) -> Answer:
    return Answer(200, {}, body if isinstance(body, bytes) else json.dumps(body).encode())


def page(data: object, total: object = 1, page: object = 1, per_page: object = 25) -> Answer:
    paging = {"page": page, "per_page": per_page, "total": total}
    return answer({"data": data, "pagination": paging, "meta": {"request_id": "req_9"}})


def loans(came: Answer, query: LoanQuery | None = None) -> Page[Loan]:
    query = query or LoanQuery()
    return decode_page(Loan, request_for(query), query, came).value


ONE = {"loan_number": "LN-1"}
DEEP = b'{"data": ' + b"[" * 100_000


@pytest.mark.parametrize(
    ("came", "key", "said"),
    [
        (answer(b""), None, "not whole, valid JSON"),
        (answer(b'{"data": [{"loan_number": "LN-'), None, "not whole, valid JSON"),
        (answer(b'{"data": "\xff"}'), None, "not whole, valid JSON"),
        (answer(b'{"data": NaN}'), None, "not whole, valid JSON"),
        (answer(DEEP), None, "not whole, valid JSON"),
        (answer(b'{"data": [{"loan_number": "1", "x": 1e999}]}'), None, "too large"),
        (answer(b"<html>sign in</html>"), None, "web page"),
        (answer(b"\xef\xbb\xbf \n<!DOCTYPE html>"), None, "web page"),
        (answer([ONE]), "data", "not an object"),
        (answer("ok"), "data", "not an object"),
        (answer({}), "data", "no 'data'"),
        (answer({"data": None}), "data", "no 'data'"),
        (answer({"data": ONE, "pagination": {}}), "data", "list of records"),
        (answer({"data": "none", "pagination": {}}), "data", "list of records"),
        (answer({"data": []}), "pagination", "'pagination'"),
        (answer({"data": [], "pagination": [1, 25, 0]}), "pagination", "'pagination'"),
        (page([ONE], total=None), "pagination.total", "whole number from 0"),
        (page([ONE], total="1"), "pagination.total", "whole number from 0"),
        (page([ONE], total=1.5), "pagination.total", "whole number from 0"),
        (page([ONE], total=True), "pagination.total", "whole number from 0"),
        (page([], total=-1), "pagination.total", "whole number from 0"),
        (page([ONE], page=0), "pagination.page", "whole number from 1"),
        (page([ONE], per_page=0), "pagination.per_page", "whole number from 1"),
        (page([ONE], total=30, per_page=26), "pagination.per_page", "got pages of 26"),
        (page([ONE], page=2, total=30), "pagination.page", "asked for page 1, got page 2"),
        (page([ONE, ONE], total=2, per_page=1), "pagination.per_page", "2 records came"),
        (page([ONE, ONE], total=1), "pagination.total", "'total' is 1, but 2 records"),
        (page([], total=7), "pagination.total", "is empty, but 'total' promises 7"),
        (page([{"book_value": 1}]), "loan_number", "loan_number"),
        (page([{"loan_number": None}]), "loan_number", "loan_number"),
        (page([{"loan_number": 7}]), "loan_number", "loan_number"),
        (page([ONE, "LN-2"], total=2), None, r"data\[1\]"),
        (page([ONE, None], total=2), None, r"data\[1\]"),
        (page([ONE | {"book_value": "12400000"}]), "book_value", "book_value"),
        (page([ONE | {"book_value": True}]), "book_value", "book_value"),
        (page([ONE | {"interest_rate": [6]}]), "interest_rate", "interest_rate"),
        (page([ONE | {"interest_rate": 10**400}]), None, "number"),
        (page([ONE | {"maturity_date": "01/03/2027"}]), "maturity_date", "maturity_date"),
        (page([ONE | {"maturity_date": 20270301}]), "maturity_date", "maturity_date"),
        (page([ONE | {"rate_pressure": 3}]), "rate_pressure", "rate_pressure"),
    ],
)
def test_a_page_of_another_shape_names_path_and_key(came, key, said):
    with pytest.raises(BadPayload, match=said) as caught:
        loans(came)
    error = caught.value
    assert error.path.startswith("/v1/loans")
    assert str(error).startswith("/v1/loans")
    if key is not None:
        assert error.key == key
    if b"req_9" in came.body and error.key:
        assert error.request_id == "req_9"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([ONE], "an object"),
        ({"book_value": 5}, "loan_number"),
        ({"loan_number": "LN-2"}, "asked for loan 'LN-1', the answer is about 'LN-2'"),
    ],
)
def test_a_single_record_of_another_shape_or_loan_is_refused(data, said):
    with pytest.raises(BadPayload, match=said):
        decode_one(LoanDetail, loan_request("LN-1"), "LN-1", answer({"data": data}))


def test_a_service_may_write_a_loan_number_in_its_own_case():
    came = answer({"data": {"loan_number": "ln-1"}})
    assert decode_one(LoanDetail, loan_request("LN-1"), "LN-1", came).value.loan_number == "ln-1"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"root": "LN-0001"}, "paths"),
        ({"paths": []}, "root"),
        ({"root": "LN-0001", "paths": {}}, "paths"),
        ({"root": "LN-0001", "paths": [[]]}, "paths"),
        ({"root": "LN-0001", "paths": [{}]}, "edges"),
        ({"root": "LN-0001", "paths": [{"edges": [{"from": "LN-0001"}]}]}, "'to'"),
        ({"root": "LN-0001", "paths": [{"edges": [{"to": "x"}]}]}, "'from'"),
        ({"root": "LN-0001", "paths": [{"edges": []}]}, "'total' is 0, but 1"),
    ],
)
def test_a_walk_of_another_shape_is_refused(data, said):
    paging = {"page": 1, "per_page": 25, "total": 0}
    with pytest.raises(BadPayload, match=said):
        decode_graph(request_for(WALK), WALK, answer({"data": data, "pagination": paging}))


def test_a_chain_without_its_list_is_refused_and_an_empty_one_is_an_answer():
    request = ownership_request("LN-1")
    with pytest.raises(BadPayload, match="chain"):
        decode_one(OwnershipChain, request, "LN-1", answer({"data": ONE}))
    empty = decode_one(OwnershipChain, request, "LN-1", answer({"data": ONE | {"chain": []}}))
    assert empty.value.chain == ()


def test_a_page_beyond_the_last_is_empty_with_the_true_total():
    beyond = loans(page([], page=9, total=40), LoanQuery(page=9))
    assert (beyond.items, beyond.total, beyond.is_last) == ((), 40, True)


def test_a_service_may_hold_its_pages_shorter_than_asked():
    short = loans(page([ONE] * 10, per_page=10, total=25), LoanQuery(per_page=100))
    assert (short.per_page, short.is_last) == (10, False)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["data", "pagination", "page", "per_page", "total", "loan_number"])
            | st.text(max_size=5),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON | st.fixed_dictionaries({"data": st.lists(JSON, max_size=2), "pagination": JSON}))
def test_any_json_is_a_page_or_a_bad_payload(payload):
    with suppress(BadPayload):
        assert loans(answer(payload)).total >= 0


@given(st.binary(max_size=200))
def test_any_bytes_are_a_bad_payload(body):
    with pytest.raises(BadPayload):
        loans(answer(body))
