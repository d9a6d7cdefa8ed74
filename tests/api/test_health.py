"""What a load balancer asks of the service: without a key, and as often as it likes."""

from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from services.api.limiting import allowances
from services.sources import StoreWorkspace
from services.store.leases import Store
from tests.publishing import load
from tests.servers import service
from tests.world import quay


def asked(address, path, method="GET"):
    try:
        with urlopen(Request(address + path, method=method), timeout=10) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        with error:
            return error.code, error.read().decode()


@pytest.fixture
def served(tmp_path):
    """A service over a store that is still empty, which may be asked twice a day."""
    workspace = StoreWorkspace(Store(tmp_path / "store"))
    with service(tmp_path, {"production": workspace}, allowances=allowances(2, 2)) as running:
        yield running
    workspace.close()


def test_a_service_is_ready_once_its_store_can_be_read(served, tmp_path):
    assert asked(served.address, "/healthz") == (200, "Alive.\n")
    status, said = asked(served.address, "/readyz")
    assert status == 503
    assert "There is no data in the store" in said
    load(tmp_path / "store", [quay()])
    assert asked(served.address, "/readyz") == (200, "The store can be read.\n")


def test_asking_counts_against_nobody_s_limit(served):
    for _ in range(5):
        assert asked(served.address, "/healthz")[0] == 200
    said = [asked(served.address, "/openapi.json")[0] for _ in range(3)]
    assert said == [200, 200, 429]
    assert asked(served.address, "/healthz", "HEAD") == (200, "")


def test_nothing_but_a_look_is_answered(served):
    assert asked(served.address, "/readyz", "POST")[0] in {404, 405}
    assert asked(served.address, "/readyz/x")[0] == 404
