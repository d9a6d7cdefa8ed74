"""A store of 200 made-up loans at three quarters, the service over it, and official clients."""

import sys
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from services.importers.demo import filings
from services.pipeline import Scoring, load_filings
from services.settings import load as settings
from services.signals.assumptions import Assumptions
from services.sources import open_workspace
from services.store.publisher import SnapshotPublisher
from tests import servers
from tests.periods import silent

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def store(tmp_path_factory):
    """The store's folder. Not to be written to."""
    folder = tmp_path_factory.mktemp("store")
    load_filings(
        filings(loans=200, seed=1, as_of=date(2026, 9, 30), count=3),
        into=SnapshotPublisher(folder),
        scoring=Scoring(Assumptions.packaged()),
        progress=silent,
    )
    return folder


@pytest.fixture(scope="session")
def workspace(store):
    """The store, open."""
    found = open_workspace(settings(store=store), "store")
    yield found
    found.close()


@pytest.fixture(scope="session")
def service(workspace, tmp_path_factory):
    """The service over the store, without limits."""
    sources = {"production": workspace, "sandbox": workspace}
    options = {"dashboard": "https://atlas.example"}
    with servers.service(tmp_path_factory.mktemp("keys"), sources, **options) as running:
        yield running


@pytest.fixture(scope="session")
def key(service):
    """A key of a tier."""
    made = {}
    return lambda tier="complete": made.setdefault(tier, service.key(tier))


@asynccontextmanager
async def over_http(address, key, *, mode="auto", sent=None):
    """A client of the service's door; `sent` is called with each request that it sends."""

    async def note(request):
        if sent is not None:
            sent(request)

    headers = {"Authorization": f"Bearer {key}"} if key else {}
    async with (
        httpx2.AsyncClient(
            headers=headers, event_hooks={"request": [note]}, timeout=60, trust_env=False
        ) as http,
        Client(streamable_http_client(f"{address}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


def over_stdio(store, *words, mode="auto", before=("-m", "services"), **environment):
    """A client of `creditatlas mcp` in a process of its own."""
    asked = StdioServerParameters(
        command=sys.executable,
        args=[*before, "mcp", *(["--store", str(store)] if store else []), *words],
        cwd=str(ROOT),
        env=environment or None,
    )
    return Client(asked, mode=mode)
