"""A site that Streamlit serves by itself, with none of our code around it."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers import command, free_port

SITE = Path(__file__).parent / "site"


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    port = free_port()
    words = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    told = {
        "STREAMLIT_SERVER_HEADLESS": "true",
        "STREAMLIT_BROWSER_GATHER_USAGE_STATS": "false",
        "STREAMLIT_SERVER_SHOW_EMAIL_PROMPT": "false",
    }
    with command(words, port, health="/_stcore/health", folder=SITE, **told) as address:
        yield address.replace("127.0.0.1", "localhost")
