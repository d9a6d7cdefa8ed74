"""Forty who open a fresh server together, each in a session of its own, over its real socket.

Pins S28 of components/README.md.
"""

import time
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

from tests.servers import dashboard
from tests.visitors import together

IMPORT_LOG = Path(__file__).parent / "import_log"
PAGES = [
    "",
    "loans?state=TX",
    "loans?map=cities",
    "loan?loan_number=CA-000012",
    "signals",
    "what_if?rates=100",
    "entities",
    "capital_graph?loan_number=CA-000012",
]


def ready(address):
    try:
        with urlopen(f"{address}/readyz", timeout=60) as answer:
            return answer.status == 200
    except HTTPError as error:
        error.close()
        return False


def test_forty_who_come_while_it_is_being_warmed_up_wait_and_see_their_pages_whole(store):
    with dashboard(store) as address:
        assert not ready(address)
        visits = together(address, PAGES * 5)
        assert [visit.fault() for visit in visits if visit.fault()] == []
        assert len(visits) == 40
        assert ready(address)


def test_no_session_of_a_warm_server_imports_anything(store, tmp_path):
    """Sessions run in threads: what none of them imports, none of them can find half imported."""
    log = tmp_path / "imports"
    with dashboard(store, PYTHONPATH=str(IMPORT_LOG), IMPORT_LOG=str(log)) as address:
        while not ready(address):
            time.sleep(0.2)
        warm = set(log.read_text(encoding="utf-8").split())
        visits = together(address, PAGES)
        assert [visit.fault() for visit in visits if visit.fault()] == []
        assert {"pandas", "plotly.graph_objects"} <= warm
        assert set(log.read_text(encoding="utf-8").split()) - warm == set()
