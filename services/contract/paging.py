"""Walking the pages of a list by the specification's rules (spec 4.7)."""

from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import TypeVar

from .queries import Query
from .records import Page

Q = TypeVar("Q", bound=Query)
T = TypeVar("T")


def pages(read: Callable[[Q], Page[T]], query: Q) -> Iterator[Page[T]]:
    """Page after page from `query` on; stops by rule 4, or at an empty page.

    The empty page ends the walk of a result that shrank meanwhile: rule 4 alone would ask on.
    """
    while True:
        page = read(query)
        yield page
        if page.is_last or not page.items:
            return
        query = query.at(query.page + 1)


def every(read: Callable[[Q], Page[T]], query: Q, *, limit: int | None = None) -> Iterator[T]:
    """Record after record over all pages, `limit` at the most; reads no page beyond the limit."""
    return islice(chain.from_iterable(page.items for page in pages(read, query)), limit)
