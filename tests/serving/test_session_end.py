"""A session that is over, on a real server: what its browser still shows (D116)."""

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from services.sign_in import PROXY_HEADER
from tests.patience import until
from tests.servers import dashboard, warm
from tests.visitors import session, visit

SECRET = "a secret of thirty-two letters and some"
HEADERS = {PROXY_HEADER: SECRET, "X-Forwarded-User": "anna"}
#: How long a session lasts here.
SECONDS = 6


@pytest.fixture(scope="module")
def server(store, tmp_path_factory):
    folder = tmp_path_factory.mktemp("ends")
    (folder / "roles.toml").write_text("default = 'analyst'", encoding="utf-8")
    settings = {
        "CREDIT_ATLAS_SIGN_IN": "proxy",
        "CREDIT_ATLAS_PROXY_SECRET": SECRET,
        "CREDIT_ATLAS_ROLES": str(folder / "roles.toml"),
        "CREDIT_ATLAS_DESK": str(folder / "desk.sqlite"),
        "CREDIT_ATLAS_SESSION_HOURS": str(SECONDS / 3600),
    }
    with dashboard(store, **settings) as address:
        visit(warm(address), "loans", HEADERS)  # so that a page takes less than a session lasts
        yield address


def rests(browser, look):
    """Whether a look by itself is the whole run; else it has asked for all of the page again."""
    browser.runs_by_itself(look)
    message = ForwardMsg()
    while message.WhichOneof("type") != "script_finished":
        message.ParseFromString(browser._socket.recv(timeout=60, decode=False))
    return message.script_finished == ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY


def test_a_page_leaves_the_screen_by_itself(server):
    with session(server, HEADERS) as browser:
        seen = browser.waits("loans")
        assert "All loans" in seen.words
        (looks,) = [
            one.auto_rerun for one in seen.messages if one.WhichOneof("type") == "auto_rerun"
        ]
        assert looks.interval == 60
        until(lambda: not rests(browser, looks.fragment_id))
        left = browser.sees("loans")
    assert "Your session has ended" in left.words
    assert "All loans" not in left.words
