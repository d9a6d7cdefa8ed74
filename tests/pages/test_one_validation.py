"""A query is validated once a visit: pages take its parts as they were validated."""

import pytest

from services.contract.queries import Query
from services.importers import demo
from tests.publishing import load_once

#: Of every page whose address says which loans: its file, and an address.
PAGES = [
    ("pages/loans.py", {"state": "TX", "order": "-book_value", "page": "1"}),
    ("pages/loans.py", {"by": "state", "property_type": "office", "state": "TX"}),
    ("pages/signals.py", {"state": "TX"}),
    ("pages/map.py", {"state": "TX", "layer": "hexagons"}),
    ("pages/explore.py", {"state": "TX", "show": "boxes"}),
    ("pages/what_if.py", {"state": "TX", "rates": "100"}),
    ("pages/capital_graph.py", {"loan_number": "CA-0000001", "depth": "2"}),
    ("pages/connection.py", {"from_loan": "CA-0000001", "to_loan": "CA-0000002"}),
]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("validated")
    load_once(folder, [demo.portfolio(loans=120)])
    return folder


@pytest.mark.parametrize(("page", "given"), PAGES, ids=str)
def test_what_an_address_asks_is_validated_once_a_visit(page, given, store, visit, monkeypatch):
    own = next(name for name in given if name not in {"by", "layer", "show", "rates"})
    validated, made, read = [], Query.__init__, Query.model_validate.__func__

    def counted(self, /, **values):
        if values.get(own):
            validated.append(self)
        made(self, **values)

    def counted_read(cls, values):
        before = len(validated)
        query = read(cls, values)  # goes through the other for classes that are made only now
        if values.get(own):
            validated[before:] = [query]
        return query

    monkeypatch.setattr(Query, "__init__", counted)
    monkeypatch.setattr(Query, "model_validate", classmethod(counted_read))
    app = visit(page, store, given)
    assert not app.exception
    assert len(validated) == 1, validated
