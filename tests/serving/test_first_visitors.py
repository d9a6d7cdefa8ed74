"""Many who open a fresh server together, each in a session of its own, over its real socket.

Pins S28 of components/README.md.
"""

import time
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests.servers import dashboard, warm
from tests.tiers import amounts
from tests.visitors import together

IMPORT_LOG = Path(__file__).parent / "import_log"
PAGES = [
    "",
    "loans?state=TX",
    "loans?by=state",
    "loan?loan_number=CA-000012",
    "signals",
    "what_if?rates=100",
    "entities",
    "capital_graph?loan_number=CA-000012",
]

#: pydeck looks for Jupyter with every map, finds none, and nothing of this stays imported.
NEVER_FOUND = {"ipywidgets", "pydeck.widget", "pydeck.widget.widget"}


def readiness(address):
    """Whether /readyz is 200, and what it says."""
    try:
        with urlopen(f"{address}/readyz", timeout=60) as answer:
            return answer.status == 200, answer.read()
    except HTTPError as error:
        with error:
            return False, error.read()


def until_open(address):
    """What /readyz says once sessions may begin."""
    while not (found := readiness(address))[0]:
        time.sleep(0.02)
    return found[1]


@pytest.mark.parametrize("each", amounts(2, 5))
def test_who_comes_before_the_first_page_is_warm_waits_and_sees_a_whole_page(store, each):
    with dashboard(store) as address:
        assert not readiness(address)[0]
        visits = together(address, PAGES * each)
        assert [visit.fault() for visit in visits if visit.fault()] == []
        assert len(visits) == len(PAGES) * each
        assert readiness(address)[0]


@pytest.mark.parametrize("each", amounts(2, 5))
def test_who_comes_while_the_other_pages_are_warmed_sees_a_whole_one_and_imports_nothing(
    store, tmp_path, each
):
    """Sessions run in threads: what none of them imports, none of them can find half imported."""
    log = tmp_path / "imports"
    with dashboard(store, PYTHONPATH=str(IMPORT_LOG), IMPORT_LOG=str(log)) as address:
        said = until_open(address)
        imported = set(log.read_text(encoding="utf-8").split())
        assert said == b"The store is open; the other pages are being warmed up.\n"
        visits = together(address, PAGES * each)
        assert [visit.fault() for visit in visits if visit.fault()] == []
        assert len(visits) == len(PAGES) * each
        warm(address)
        assert {"pandas", "plotly.graph_objects"} <= imported
        found = set(log.read_text(encoding="utf-8").split())
        assert sorted(found - imported - NEVER_FOUND) == []
