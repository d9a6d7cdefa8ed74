"""Words that a database, a shell or a page might take for its own are words here."""

import pytest

from services.contract.errors import InvalidRequest, NotFound
from services.contract.loan_filter import LoanFilter
from services.contract.queries import EntityQuery, LoanQuery, PathQuery, SignalQuery

HOSTILE = (
    "x' OR '1'='1",
    "x'; DROP TABLE loans; --",
    "x' UNION SELECT 1, 2, 3 --",
    "%' --",
    "_",
    "%",
    "\\",
    '"; DELETE FROM loans; --',
    "$1",
    "?",
    ":name",
    "read_csv('/etc/passwd')",
    "{__class__}",
    "%s%s%n",
)


@pytest.mark.parametrize("word", HOSTILE)
def test_what_looks_like_sql_is_a_word_that_nothing_bears(store_source, word):
    before = store_source.loans(LoanQuery()).total
    assert before > 0
    # One lender of the made-up book bears such signs itself.
    assert store_source.loans(LoanQuery(lender=word)).total <= 1
    for empty in (
        store_source.loans_found(LoanFilter(sponsor=word), ()),
        store_source.signals(SignalQuery(signal_type=word)),
    ):
        assert empty.total == 0
    found = store_source.loans_found(LoanFilter(find=word), ()).items
    assert all(word in one.loan_number for one in found)
    for read in (
        lambda: store_source.loan(word),
        lambda: store_source.ownership(word),
        lambda: store_source.paths(PathQuery(entity_name=word)),
    ):
        with pytest.raises((NotFound, InvalidRequest)):
            read()
    # Parties are found by likeness: never all of them, and the question harms none.
    assert store_source.entities(EntityQuery(name=word)).total < before
    assert store_source.loans(LoanQuery()).total == before
