"""The tree of errors: drawn as it is, and whole after a pickle, as Streamlit's caches need."""

import copy
import inspect
import pickle
import re

import pytest

from services.contract import errors
from services.contract.errors import (
    BadPayload,
    CreditAtlasError,
    Forbidden,
    InvalidRequest,
    NotFound,
    RateLimited,
)

DRAWN = dict(re.findall(r"^[├└]── (\w+) +(\d{3})?", errors.__doc__, re.MULTILINE))
CLASSES = {
    name: kind
    for name, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, CreditAtlasError) and kind is not CreditAtlasError
}
NEEDED = {"RateLimited": {"retry_after": 7}, "BadPayload": {"path": "/v1/loans"}}


def made(name):
    return CLASSES[name]("It went wrong", request_id="req-1", **NEEDED.get(name, {}))


def test_every_error_is_drawn_and_every_drawn_error_exists():
    assert set(DRAWN) == set(CLASSES)


@pytest.mark.parametrize("name", CLASSES)
def test_an_error_hangs_where_it_is_drawn_with_its_status(name):
    assert CLASSES[name].__bases__ == (CreditAtlasError,)
    assert CLASSES[name].status == int(DRAWN[name] or 0)


def test_codes_are_one_word_each():
    codes = [kind.code for kind in CLASSES.values()]
    assert len(set(codes)) == len(codes)
    assert all(re.fullmatch(r"[a-z_]+", code) for code in codes)
    # D13, spec 7
    assert {kind.status: kind.code for kind in CLASSES.values() if kind.status} == {
        400: "invalid_request",
        401: "unauthorized",
        403: "forbidden",
        404: "not_found",
        429: "rate_limited",
        500: "internal_error",
        503: "service_unavailable",  # D94, D95
    }


@pytest.mark.parametrize("name", CLASSES)
def test_an_error_is_whole_after_a_pickle(name):
    error = made(name)
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):  # noqa: S301 - our own
        assert type(again) is type(error)
        assert vars(again) == vars(error)
        assert str(again) == str(error) == "It went wrong (request req-1)"
        assert again.args == error.args


def test_what_an_error_carries_besides_its_sentence_comes_back():
    carried = [
        (InvalidRequest("m", parameter="state"), "parameter", "state"),
        (Forbidden("m", tiers=("Complete", "Resolution")), "tiers", ("Complete", "Resolution")),
        (Forbidden("m", read="paths"), "read", "paths"),
        (RateLimited("m", retry_after=31), "retry_after", 31),
        (BadPayload("m", path="/v1/loans", key="data"), "key", "data"),
        (BadPayload("m", path="/v1/loans", key="data"), "path", "/v1/loans"),
    ]
    for error, name, value in carried:
        again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
        assert getattr(again, name) == value
        assert str(again) == "m"


def test_a_sentence_names_the_request_only_when_there_is_one():
    assert str(NotFound("No loan has the number 'X'")) == "No loan has the number 'X'"
    told = NotFound("No loan has the number 'X'", request_id="req-9f2")
    assert str(told) == "No loan has the number 'X' (request req-9f2)"
    assert told.message == "No loan has the number 'X'"
