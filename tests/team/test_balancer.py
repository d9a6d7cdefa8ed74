"""HAProxy takes the configuration that ships."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.team

DEPLOY = Path(__file__).parents[2] / "services" / "shelf" / "deploy"


@pytest.fixture(scope="module")
def haproxy():
    found = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        said = "HAProxy is missing: apt-get install haproxy"
        if os.environ.get("CREDIT_ATLAS_TEAM_TESTS") == "required":
            pytest.fail(said)
        pytest.skip(said)
    return found


def test_the_configuration_that_ships_is_valid(haproxy):
    done = subprocess.run(
        [haproxy, "-c", "-f", DEPLOY / "haproxy.cfg"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr.lower()
