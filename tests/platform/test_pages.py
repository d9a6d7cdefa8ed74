"""What Streamlit makes of pages, addresses and its own files, without a browser."""

import subprocess
import sys
from http.client import HTTPConnection

from streamlit.testing.v1 import AppTest

from tests.servers import ROOT
from tests.serving.test_server import BUNDLE
from tests.visitors import session, visit


def asked(address, path):
    connection = HTTPConnection(address.removeprefix("http://"), timeout=60)
    connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, answer.headers


def test_a_deep_link_runs_a_page_alone_until_somebody_opened_the_first(site):
    """S6, S29."""
    assert "entered by app.py" not in visit(site, "two").words
    assert "entered by app.py" in visit(site, "").words
    assert "entered by app.py" in visit(site, "two").words


def test_a_parameter_that_is_given_twice_keeps_its_last_value_on_the_way_to_a_page(site):
    """S7."""
    assert "state is ['TX', 'CA']" in visit(site, "two?state=TX&state=CA").words
    with session(site) as browser:
        browser.waits("")
        browser.asks("one?go=1")
        assert "state is ['CA']" in browser.sees("two").words


def test_a_bound_box_drops_a_value_that_it_does_not_know_without_a_word(site):
    """S8."""
    assert "box is b" in visit(site, "two?box=b").words
    assert "box is a" in visit(site, "two?box=z").words


def test_the_server_is_not_below_a_pages_address(site):
    """S25."""
    assert asked(site, "/two/_stcore/health")[0] == 404
    assert asked(site, "/_stcore/health")[0] == 200


def test_a_bundle_is_sent_as_it_is(site):
    """S24."""
    status, headers = asked(site, BUNDLE)
    assert (status, headers["Content-Encoding"]) == (200, None)


def hidden():
    import streamlit as st

    if not st.checkbox("hide", key="hide"):
        st.text_input("word", key="word")
    st.text(f"word is {st.session_state.get('word')}")


def test_a_widget_that_is_not_drawn_loses_its_value():
    """S10."""
    app = AppTest.from_function(hidden).run()
    app.text_input(key="word").input("kept").run()
    app.checkbox(key="hide").check().run()
    app.checkbox(key="hide").uncheck().run()
    assert app.text_input(key="word").value == ""


def going():
    import streamlit as st

    st.button("go", on_click=st.switch_page, args=("pages/two.py",))


def test_a_callback_leads_to_no_page_under_apptest():
    """S14."""
    app = AppTest.from_function(going).run()
    app.button[0].click().run()
    assert app.exception


def drawn(key):
    import streamlit as st

    draw = st.components.v2.component("canary", html="<i></i>")
    draw(key=key, data={"a": 1})
    st.html("<p>words</p>")


def test_a_components_key_holds_no_two_underscores_and_apptest_shows_its_message():
    """S20, S23, S38."""
    assert AppTest.from_function(drawn, kwargs={"key": "a__b"}).run().exception
    app = AppTest.from_function(drawn, kwargs={"key": "a_b"}).run()
    assert not app.exception
    assert [one.proto.component_name for one in app.get("bidi_component")] == ["canary"]
    assert [one.proto.body for one in app.get("html")] == ["<p>words</p>"]
    assert not app.markdown


def test_caches_look_for_a_runtime_when_their_module_is_imported():
    """S30."""
    done = subprocess.run(
        [sys.executable, "-c", "import components.frame.session"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    assert "No runtime found" in done.stderr
