"""The capital graph page on a store of its own, for its two test files."""

from pathlib import Path
from types import MappingProxyType

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from services.importers import demo
from tests.pages.graph_stage import ROOT, book
from tests.publishing import load
from tests.world import RATES


@pytest.fixture(scope="module")
def graph_stores(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("stores")
    load(folder / "book", [book()], rates=RATES)
    load(folder / "demo", [demo.portfolio(loans=200)])
    return {name: folder / name for name in ("book", "demo")}


@pytest.fixture
def graph_page(graph_stores, monkeypatch):
    """The page on a store, with the parameters given."""

    def run(store: str = "book", state=MappingProxyType({}), /, **params: str) -> AppTest:
        monkeypatch.setenv("CREDIT_ATLAS_STORE", str(graph_stores[store]))
        monkeypatch.chdir(ROOT)
        st.cache_resource.clear()
        st.cache_data.clear()
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        app.session_state["entered"] = True  # as if app.py had run before: saves a run each
        for name, value in params.items():
            app.query_params[name] = value
        for key, value in state.items():
            app.session_state[key] = value
        app.switch_page("pages/capital_graph.py").run()
        assert not app.exception
        return app

    yield run
    st.cache_resource.clear()
