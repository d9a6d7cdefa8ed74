"""Statements and arrays answer the same questions alike, before anything is timed (D191)."""

import pytest

from services.importers import demo
from tests.bench import engine_rivals
from tests.publishing import load

pytestmark = pytest.mark.tools


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rivals")
    load(folder, [demo.portfolio(loans=3_000)])
    return folder


@pytest.mark.parametrize("page", engine_rivals.PAGES)
@pytest.mark.parametrize("kind", engine_rivals.CHOICES)
def test_both_answer_alike(source, page, kind):
    arrays, sql = engine_rivals.PAGES[page]
    for query in engine_rivals.queries(kind, page):
        found = arrays(source.reader, query)
        assert found[0]
        assert found == sql(source.reader, query)
