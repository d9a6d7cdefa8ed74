"""Bodies are limited packed and unpacked."""

import gzip
import tracemalloc
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.client.body import Body
from services.contract.errors import BadPayload


def collect(packed: bytes, encoding: str = "gzip", limit: int = 1_000, step: int = 7) -> bytes:
    body = Body("/v1/loans", encoding, limit)
    for i in range(0, len(packed), step):
        body.feed(packed[i : i + step])
    return body.whole()


@given(st.binary(max_size=900), st.integers(1, 50), st.sampled_from(["", "identity", "gzip"]))
def test_a_body_within_the_limit_comes_back_whole_however_it_is_cut(data, step, encoding):
    packed = gzip.compress(data) if encoding == "gzip" else data
    assert collect(packed, encoding, step=step) == data


def test_the_limit_itself_is_allowed_and_one_byte_more_is_not():
    for encoding, pack in (("", bytes), ("gzip", gzip.compress)):
        assert len(collect(pack(bytes(1_000)), encoding)) == 1_000
        with pytest.raises(BadPayload, match="larger than 1,000 bytes"):
            collect(pack(bytes(1_001)), encoding)


def test_a_gzip_bomb_is_refused_before_it_is_unpacked():
    bomb = gzip.compress(bytes(50_000_000))
    tracemalloc.start()
    with pytest.raises(BadPayload, match="larger than 100,000 bytes"):
        collect(bomb, limit=100_000, step=65_536)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000


def test_members_of_a_gzip_follow_each_other():
    assert collect(gzip.compress(b"loan") + gzip.compress(b"book")) == b"loanbook"


def test_many_empty_members_end_at_the_limit_too():
    with pytest.raises(BadPayload, match="larger than"):
        collect(gzip.compress(b"") * 100)


@pytest.mark.parametrize(
    ("packed", "encoding", "said"),
    [
        (gzip.compress(b"whole")[:-3], "gzip", "does not unpack"),
        (b"not gzip at all", "gzip", "does not unpack"),
        (gzip.compress(b"whole") + b"tail", "gzip", "does not unpack"),
        (zlib.compress(b"whole"), "deflate", "packed as 'deflate'"),
        (gzip.compress(gzip.compress(b"whole")), "gzip, gzip", "packed as 'gzip, gzip'"),
    ],
    ids=["cut", "not gzip", "with a tail", "deflate", "twice"],
)
def test_a_damaged_or_unasked_packing_is_refused_in_one_sentence(packed, encoding, said):
    with pytest.raises(BadPayload, match=said) as caught:
        collect(packed, encoding)
    assert caught.value.path == "/v1/loans"


def test_an_empty_body_is_empty_even_when_it_is_said_to_be_packed():
    assert collect(b"") == b""
