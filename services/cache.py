"""Answers remembered up to a number of bytes. Knows nothing of what it remembers."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")


class ByteCache(Generic[V]):
    """Values by key, `most_bytes` of them by `size_of`; the least recently used go first.

    Safe for several threads. A value larger than the whole cache is not remembered.
    """

    def __init__(self, most_bytes: int, size_of: Callable[[V], int]) -> None:
        self._most_bytes = most_bytes
        self._size_of = size_of
        #: Value and size when it was remembered: a value may grow while it is used.
        self._held: OrderedDict[Hashable, tuple[V, int]] = OrderedDict()
        self._bytes = 0
        self._making: dict[Hashable, Future[V]] = {}
        self._guard = Lock()

    def get(self, key: Hashable) -> V | None:
        """The value remembered under `key`, or None."""
        with self._guard:
            held = self._held.get(key)
            if held is None:
                return None
            self._held.move_to_end(key)
            return held[0]

    def put(self, key: Hashable, value: V) -> V:
        """Remembers a value; answers it, or the one that `key` has already."""
        size = self._size_of(value)
        with self._guard:
            if key in self._held:
                return self._held[key][0]
            if size <= self._most_bytes:
                self._held[key] = value, size
                self._bytes += size
            while self._bytes > self._most_bytes:
                _, (_, freed) = self._held.popitem(last=False)
                self._bytes -= freed
            return value

    def get_or_make(self, key: Hashable, make: Callable[[], V]) -> V:
        """The value remembered under `key`, else what `make` answers, remembered from now on.

        Threads that ask at the same time wait for one of them to make it. Where that one fails,
        the next tries. None is never remembered.
        """
        while True:
            with self._guard:
                held = self._held.get(key)
                if held is not None:
                    self._held.move_to_end(key)
                    return held[0]
                other = self._making.get(key)
                if other is None:
                    made: Future[V] = Future()
                    self._making[key] = made
            if other is None:
                return self._make(key, make, made)
            if other.exception() is None:
                return other.result()

    def _make(self, key: Hashable, make: Callable[[], V], made: Future[V]) -> V:
        """Makes a value for this thread and all that wait for it."""
        try:
            value = self.put(key, make())
        except BaseException as error:
            made.set_exception(error)
            raise
        else:
            made.set_result(value)
            return value
        finally:
            with self._guard:
                del self._making[key]

    def clear(self) -> None:
        """Forgets everything."""
        with self._guard:
            self._held.clear()
            self._bytes = 0
