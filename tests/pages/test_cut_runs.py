"""Pages in any order, each left at any statement: the last one shows what its address asks for.

A browser that changes pages ends the run of the page before wherever that is. Widgets of two pages
share keys of the session's state, so what a cut run left there must never count as the next page's.

Pins S9 of components/README.md.
"""

import sys

import pytest
import streamlit as st
from hypothesis import HealthCheck, given
from hypothesis import strategies as some
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import RerunData, RerunException, script_runner
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.testing.v1 import AppTest

from services.importers import demo
from tests.pages.conftest import PATIENCE
from tests.pages.screen import headings, said
from tests.publishing import load_once
from tests.servers import ROOT
from tests.tiers import examples

OURS = (str(ROOT / "components"), str(ROOT / "pages"))
#: Page and query. Between them they share every parameter that two pages know, with other words.
PLACES = [
    ("loans", ""),
    ("loans", "state=TX&order=-book_value"),
    ("loans", "page=2"),
    ("loans", "order=nonsense"),
    ("signals", "state=TX"),
    ("signals", "severity=any&measure=loans&order=loan_number"),
    ("sponsors", "state=CA&kind=owner"),
    ("what_if", "noi=-10&measure=loans"),
    ("entities", "name=Capital"),
    ("loan", "loan_number=CA-000012&noi=4000000"),
    ("watchlist", "show=parties"),
    ("capital_graph", "loan_number=CA-000012&depth=2"),
    ("connection", "from_loan=CA-000012"),
    ("compare", "loans=CA-000012,CA-000013&differing=yes"),
    ("sources", ""),
]
ONE_PLACE = some.sampled_from(PLACES)
#: Lines of a page that is drawn to its end.
WHOLE = 10**9
#: An address is read, and written again, within so many of our lines.
READ = 2_500
LINES = some.integers(1, READ) | some.just(WHOLE)


class Cut:
    """Ends each run of a walk at its line, and goes on to the next place."""

    def __init__(self, steps, last):
        #: Our lines after which each run ends, and the place after it.
        self.ahead = list(zip([lines for _, lines in steps], places(steps, last), strict=True))

    def __call__(self, frame, event, argument):
        del argument
        if not frame.f_code.co_filename.startswith(OURS):
            return None
        if event == "line" and self.ahead:
            left, place = self.ahead[0]
            self.ahead[0] = (left - 1, place)
            if left == 1:
                del self.ahead[0]
                page, query = place
                raise RerunException(RerunData(page_name=page, query_string=query))
        return self


def places(steps, last):
    """Where each step leads."""
    return [*(place for place, _ in steps[1:]), last]


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A server that had visitors before, on a small store, for all walks."""
    store = tmp_path_factory.mktemp("store")
    load_once(store, [demo.portfolio(loans=120)])
    run, drawn = ScriptRunner._run_script, script_runner.exec_func_with_error_handling
    held = {}

    def visited(runner, data):
        PagesManager.uses_pages_directory = False
        run(runner, data)

    def traced(draw, context):
        sys.settrace(held["cut"])
        try:
            return drawn(draw, context)
        finally:
            sys.settrace(None)

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setenv("CREDIT_ATLAS_STORE", str(store))
        patch.setattr(PagesManager, "uses_pages_directory", None)
        patch.setattr(ScriptRunner, "_run_script", visited)
        patch.setattr(script_runner, "exec_func_with_error_handling", traced)
        st.cache_resource.clear()
        st.cache_data.clear()
        yield held
    st.cache_resource.clear()
    st.cache_data.clear()


def walked(served, walk, last):
    """A session that was at each place of the walk until its run was cut, and at the last one."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE)
    # It begins at the Overview, which is left at its first line.
    cut = served["cut"] = Cut([(("overview", ""), 1), *walk], last)
    app.run()
    while cut.ahead:
        # A page was drawn to its end before it was to be left: leave it now.
        cut.ahead[0] = (1, cut.ahead[0][1])
        app.run()
    return app


def shown(app):
    """What stands on the page, and what the browser's address is made."""
    assert not app.exception
    return headings(app, 1), said(app), dict(app.query_params)


def check(served, walk, last):
    if last not in served:
        served[last] = shown(walked(served, [], last))
    assert shown(walked(served, walk, last)) == served[last]


@pytest.mark.parametrize(
    "lines",
    [
        one if one % 400 == 100 else pytest.param(one, marks=pytest.mark.long)
        for one in range(100, READ, 100)
    ],
)
def test_a_page_shows_what_its_address_asks_wherever_the_one_before_was_left(served, lines):
    loans, signals = ("loans", ""), ("signals", "state=TX")
    check(served, [(loans, WHOLE), (signals, lines)], loans)


def test_a_widget_that_lost_its_value_has_not_that_of_an_earlier_page(served):
    """Signals' map of states, of a parameter that Loans has too, in a widget."""
    walk = [(("signals", "state=TX"), WHOLE), (("loans", ""), WHOLE), (("sources", ""), WHOLE)]
    check(served, walk, ("loans", ""))
    check(served, walk[:2], ("loans", ""))


@some.composite
def walks(draw):
    steps = draw(some.lists(some.tuples(ONE_PLACE, LINES), min_size=1, max_size=4))
    # Mostly back to where it was: there a session remembers most.
    return steps, draw(some.sampled_from([place for place, _ in steps]) | ONE_PLACE)


@examples(8, 50, suppress_health_check=list(HealthCheck))
@given(walk=walks())
def test_a_page_shows_what_its_address_asks_whatever_was_left_before(served, walk):
    check(served, *walk)
