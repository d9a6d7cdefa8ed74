"""Values remembered up to a number of bytes."""

from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event

import pytest

from services.cache import ByteCache
from tests.patience import SECONDS, until


@pytest.fixture
def waiting(monkeypatch):
    """One entry for each thread that has begun to wait for another one's value."""
    found = []

    class Noted(Future):
        def exception(self, timeout=None):
            found.append(1)
            return super().exception(timeout)

    monkeypatch.setattr("services.cache.Future", Noted)
    return found


def remembered(cache, keys):
    return [key for key in keys if cache.get(key) is not None]


def test_the_bytes_bound_what_is_remembered_and_the_least_recently_used_go_first():
    cache = ByteCache(100, len)
    for number in range(10):
        cache.put(number, b"x" * 30)
    assert remembered(cache, range(10)) == [7, 8, 9]
    cache.get(7)
    cache.put(10, b"x" * 30)
    assert remembered(cache, range(11)) == [7, 9, 10]


def test_a_value_larger_than_the_cache_drives_nothing_out():
    cache = ByteCache(100, len)
    cache.put("small", b"x" * 40)
    assert cache.put("large", b"x" * 101) == b"x" * 101
    assert remembered(cache, ["small", "large"]) == ["small"]


def test_a_value_is_made_once_and_the_first_of_two_stays():
    cache, made = ByteCache(100, len), []

    def make():
        made.append(1)
        return b"made"

    assert cache.get_or_make("key", make) is cache.get_or_make("key", make)
    assert made == [1]
    assert cache.put("key", b"later") == b"made"


def test_threads_that_ask_at_once_wait_for_one_maker(waiting):
    cache, made = ByteCache(100, len), []

    def make():
        made.append(1)
        until(lambda: len(made) + len(waiting) == 8)  # all have asked
        return b"made"

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: cache.get_or_make("key", make), range(8))) == {b"made"}
    assert made == [1]


def test_where_the_maker_fails_the_next_tries(waiting):
    cache, tries, begun = ByteCache(100, len), iter(["fails", "works"]), Event()

    def make():
        begun.set()
        if next(tries) == "fails":
            until(lambda: waiting)  # the second has asked
            raise OSError("disk")
        return b"made"

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(cache.get_or_make, "key", make)
        begun.wait()
        second = pool.submit(cache.get_or_make, "key", make)
        assert isinstance(first.exception(), OSError)
        assert second.result(timeout=SECONDS) == b"made"


def test_a_value_that_is_not_true_is_remembered_too():
    cache = ByteCache(100, len)
    cache.put("nothing found", b"")
    assert cache.get_or_make("nothing found", lambda: b"asked again") == b""


def test_a_value_that_grows_gives_back_what_it_took():
    cache, growing = ByteCache(4, len), [1]
    cache.put("growing", growing)
    growing.extend([2, 3, 4, 5, 6, 7])
    for number in range(20):
        cache.put(number, [number])
    assert remembered(cache, range(20)) == [16, 17, 18, 19]


def test_what_is_forgotten_leaves_its_room():
    cache = ByteCache(100, len)
    cache.put(1, b"x" * 90)
    cache.clear()
    assert cache.get(1) is None
    cache.put(2, b"x" * 90)
    assert cache.get(2) == b"x" * 90


def test_many_threads_stay_within_the_bytes():
    cache = ByteCache(1_000, len)

    def use(seed):
        for number in range(500):
            key = (seed * number) % 37
            assert cache.get_or_make(key, lambda key=key: b"x" * (key + 1)) == b"x" * (key + 1)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(use, range(1, 9)))
    assert sum(len(cache.get(key) or b"") for key in range(37)) <= 1_000
