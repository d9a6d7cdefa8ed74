"""A store whose chains come of a file of parties beside a filing (D203): every page that says
something of parties or sources draws it.
"""

from datetime import date
from pathlib import Path

import pytest

from services.importers.parties import portfolio
from tests.pages.screen import said
from tests.publishing import load, load_once
from tests.world import Sketch, info_of

SAMPLE = Path(__file__).parents[1] / "importers/sample_parties.csv"


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("joined")
    for day in (date(2023, 12, 31), date(2024, 1, 31)):
        s = Sketch(info_of("sec-absee:Deal 1", day, title="Deal 1"))
        for number in ("10", "12"):
            s.loan(f"Deal 1:{number}", confidence_tier=None)
        load_once(folder, [s.portfolio()])
    load(folder, [portfolio(SAMPLE, as_of=date(2025, 6, 30))])
    return folder


@pytest.mark.parametrize(
    ("page", "params", "sentence"),
    [
        ("sources", {}, "What is loaded, as of 31 Jan 2024"),
        ("overview", {}, "As of 31 Jan 2024"),
        ("changes", {}, "Changes"),
        ("sponsors", {}, "Sponsors"),
        ("family", {"entity_name": "Elm Partners LP"}, "Elm Partners LP"),
        ("entity", {"entity_name": "ELM PARTNERS"}, "lei:5493001KJTIIGC8Y1R12"),
        ("loan", {"loan_number": "Deal 1:10", "evidence": "yes"}, "4 links, 4 witnesses."),
    ],
)  # fmt: skip
def test_every_page_draws_it(visit, store, page, params, sentence):
    app = visit(f"pages/{page}.py", store, params)
    assert not app.exception
    assert sentence in said(app)
