"""Pages about a single loan: a noun after 1 is singular."""

import json
import re

import pytest

from services.importers import demo
from tests.pages.screen import said, tables
from tests.publishing import load_once

_PLURAL = re.compile(
    r"(?<![\d.,])1 (?:loans|notes|rows|signals|properties|states|filings|dates|nodes|edges|paths|"
    r"names|matches|parties|sponsors|tenants|leases|months|groups|cases|percentiles)\b"
)
_PAGES = ("overview", "loans", "map", "explore", "tenants", "what_if", "signals", "calendar",
          "entities", "sponsors", "watchlist", "cases", "track_record", "sources")  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("one")
    load_once(folder, [demo.portfolio(loans=1)])
    return folder


@pytest.mark.parametrize("page", _PAGES)
def test_a_noun_after_one_is_singular(page, folder, visit):
    app = visit(f"pages/{page}.py", folder)
    assert not app.exception
    drawn = [one.proto.json for one in app.get("bidi_component")]
    charts = [one.proto.spec for one in app.get("plotly_chart")]
    words = "\n".join((said(app), json.dumps(tables(app)), *drawn, *charts))
    assert _PLURAL.findall(words) == []
