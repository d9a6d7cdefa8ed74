"""V14: the book, what users write, and secrets: where they lie and where they do not."""

import re
import tomllib

import pytest

from tests.security.asked import asked
from tests.security.source import SCRIPTS
from tests.security.standard import ROOT, shows

SHOWN_BY = {
    "V14.3.1": "tests/serving/test_session_end.py::test_a_page_leaves_the_screen_by_itself",
    "V14.2.1": (
        "tests/api/test_access.py::test_a_key_in_the_url_is_refused",
        "tests/client/test_key.py::test_the_key_is_sent_in_the_authorization_header_only",
    ),
    "V14.2.2": "tests/serving/test_owners.py"
    "::test_a_file_is_given_to_who_had_it_made_and_kept_by_nobody_on_the_way",
    "V14.2.3": "tests/test_architecture.py::test_the_screen_names_no_other_host",
    "V14.2.4": (
        "tests/client/test_key.py::test_the_key_is_in_no_log_at_any_level",
        (
            "tests/store/test_damage.py"
            "::test_a_flip_a_cut_or_a_missing_file_is_a_sentence_or_changes_no_answer"
        ),
        "tests/desk/test_damage.py::test_no_damage_is_silent",
    ),
}
WRITTEN = {
    "V14.1.1": ("tests/security/README.md", "| what | who may see it | what protects it |"),
    "V14.1.2": ("tests/security/README.md", "| what | who may see it | what protects it |"),
}


@shows("V14.2.2", "V14.3.2")
@pytest.mark.parametrize("path", ["/v1/loans", "/v1/loans/none", "/v1/signals", "/openapi.json"])
def test_an_answer_of_the_api_is_kept_by_nobody(api, path):
    headers = {"Authorization": f"Bearer {api.key()}"}
    assert asked(api.address, path, headers=headers).headers["Cache-Control"] == "no-store"


@shows("V14.3.2")
@pytest.mark.parametrize("path", ["/", "/loans?state=TX", "/loan?loan_number=CA-000012"])
def test_the_page_that_a_browser_may_keep_is_the_same_for_everybody(pages, path):
    """Figures and names come by WebSocket, which no cache keeps."""
    answer = asked(pages, path, headers={"Accept": "text/html"})
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.body == asked(pages, "/sources", headers={"Accept": "text/html"}).body
    assert b"CA-0" not in answer.body


@shows("V14.2.3")
def test_nothing_is_reported_to_the_makers_of_a_library():
    config = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert config["browser"]["gatherUsageStats"] is False
    assert config["browser"]["serverAddress"] == "localhost"
    assert config["server"]["showEmailPrompt"] is False


@shows("V14.3.3")
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_of_ours_keeps_nothing_in_the_browser(name):
    kept = r"localStorage|sessionStorage|indexedDB|document\.cookie|caches\.|serviceWorker"
    assert not re.search(kept, SCRIPTS[name])
