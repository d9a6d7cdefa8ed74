"""Runs pages of the app, and the capital graph's on a store of its own."""

import gc
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
import streamlit as st
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.testing.v1 import AppTest

from services.importers import demo
from tests.pages.graph_stage import ROOT, book, shared
from tests.publishing import load_once
from tests.world import RATES

NOTHING: Mapping[str, Any] = MappingProxyType({})
#: A guard against a page that hangs, seconds: no test is about how long a page takes.
PATIENCE = 240
#: The settings by which the server read what it remembers.
_read_by: dict[str, str] = {}


def forget_others() -> None:
    """Clears what the server remembers, unless it was read by the settings of now."""
    now = {name: at for name, at in os.environ.items() if name.startswith("CREDIT_ATLAS_")}
    if now != _read_by:
        forget()
        _read_by.update(now)


def forget() -> None:
    """Clears what the server remembers."""
    _read_by.clear()
    st.cache_resource.clear()
    st.cache_data.clear()


@cache
def settled() -> None:
    """Once a page was drawn, what it imported is no garbage (tests/conftest.py)."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def page(request, folder, visit):
    """Runs the page PAGE of a module on its own `folder`, without an exception: with parameters of
    the address, and with what the session holds beforehand.
    """

    def run(held: Mapping[str, Any] = NOTHING, /, **params: str) -> AppTest:
        app = visit(request.module.PAGE, folder, params, held)
        assert not app.exception
        return app

    return run


@pytest.fixture
def loan(folder, visit):
    """Opens the page of a loan of a module's `folder`."""
    return lambda number: visit("pages/loan.py", folder, {"loan_number": number})


@pytest.fixture
def loans(folder, visit):
    """Opens the list of loans of a module's `folder`, with parameters of the address."""
    return lambda **params: visit("pages/loans.py", folder, params)


@pytest.fixture
def visit(monkeypatch):
    """Runs a page of the app as its first visitor sees it.

    Takes the page's file, the folder of a store, the address's parameters, what the session holds
    beforehand, and further settings.
    """

    def run(
        file: str,
        store: Path,
        given: Mapping[str, str] = NOTHING,
        held: Mapping[str, Any] = NOTHING,
        /,
        **settings: str,
    ) -> AppTest:
        monkeypatch.chdir(ROOT)
        for name, value in {"store": str(store), **settings}.items():
            monkeypatch.setenv(f"CREDIT_ATLAS_{name.upper()}", value)
        # What was read before is not what a test has patched.
        (forget if monkeypatch._setattr else forget_others)()
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE)
        for name, value in given.items():
            app.query_params[name] = value
        for name, value in held.items():
            app.session_state[name] = value
        if file != "pages/overview.py":
            app.switch_page(file)
        drawn = app.run()
        settled()
        return drawn

    yield run
    if monkeypatch._setattr:
        forget()


@pytest.fixture
def visited_before(monkeypatch):
    """A server that had visitors before.

    AppTest starts every run as a fresh server: a page then goes by app.py, and a press is lost.
    """
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)  # put back afterwards
    run = ScriptRunner._run_script

    def visited(runner, data):
        PagesManager.uses_pages_directory = False
        run(runner, data)

    monkeypatch.setattr(ScriptRunner, "_run_script", visited)


@pytest.fixture
def pressed(monkeypatch):
    """What a page offers to download: each writes its file as when its button is pressed."""
    found = {}

    def button(_label, data, file_name, **_):
        found[file_name] = data

    monkeypatch.setattr(st, "download_button", button)
    return found


@pytest.fixture(scope="module")
def graph_stores(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("stores")
    load_once(folder / "book", [book()], rates=RATES)
    load_once(folder / "shared", [shared()], rates=RATES)
    load_once(folder / "demo", [demo.portfolio(loans=200)])
    return {name: folder / name for name in ("book", "shared", "demo")}


@pytest.fixture
def graph_page(graph_stores, visit):
    """The page on a store, with the parameters given."""

    def run(store: str = "book", held: Mapping[str, Any] = NOTHING, /, **params: str) -> AppTest:
        app = visit("pages/capital_graph.py", graph_stores[store], params, held)
        assert not app.exception
        return app

    return run
