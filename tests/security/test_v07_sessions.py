"""V7: the proxy keeps sessions of users; a page is a WebSocket that lasts no longer than set."""

import pytest

from services.contract.errors import NotPermitted
from services.settings import Settings
from services.sign_in import PROXY_HEADER, user_of
from tests.security.standard import shows

SECRET = "a secret of thirty-two characters"
SHOWN_BY = {
    "V7.2.1": (
        "tests/test_sign_in.py::test_nobody_is_believed_without_the_proxys_secret",
        "tests/serving/test_sign_in.py::test_a_session_is_refused_before_it_begins",
    ),
    "V7.3.2": (
        (
            "tests/pages/test_audit.py"
            "::test_a_page_that_stands_in_a_browser_gives_no_file_once_its_session_is_over"
        ),
        "tests/team/test_sign_in.py::test_a_session_ends_with_a_sentence_and_a_reload_begins_the_next",
    ),
    "V7.4.1": (
        (
            "tests/desk/test_authority.py"
            "::test_a_hundred_writes_after_the_end_of_a_session_and_none_lands"
        ),
        (
            "tests/pages/test_session_end.py"
            "::test_what_a_page_offered_before_the_end_writes_nothing_after_it"
        ),
    ),
    "V7.4.2": (
        "tests/serving/test_owners.py::test_a_role_that_was_taken_away_takes_no_file",
        "tests/desk/test_authority.py::test_a_role_that_was_taken_away_meanwhile_writes_no_more",
    ),
}
WRITTEN = {
    "V7.1.1": ("tests/security/README.md", "There is no limit of inactivity"),
    "V7.1.2": ("tests/security/README.md", "A user may have any number of sessions"),
    "V7.1.3": ("tests/security/README.md", "## Who signs in, and how"),
    "V7.6.1": ("tests/security/README.md", "goes by the proxy again"),
}
LEFT_TO = {
    "V7.2.2": "Proxy: the token of a user's session is its own. Here each request brings headers.",
    "V7.2.3": "Proxy: as before. The id of a page is no token: it is of use to its user only.",
    "V7.2.4": "Proxy: as before.",
    "V7.6.2": "Proxy: it decides whether somebody who comes has to do something.",
}
DOES_NOT_APPLY = {
    "V7.4.3": "No factors are kept or changed here.",
    "V7.5.1": "No accounts are kept or changed here.",
}
NOT_MET = {
    "V7.3.1": "A page that nobody uses stays open until its hours are over.",
    "V7.4.4": "Signing out stands on Your access alone.",
    "V7.5.2": "Signing out ends all sessions of a user in one process; they see no list of them.",
}


@shows("V7.4.2", "V7.4.5")
@pytest.mark.parametrize(
    "now", ['[users]\nada = "admin"\n', '[groups]\nothers = "analyst"\n'], ids=str
)
def test_who_is_taken_out_of_the_roles_is_no_user_at_the_next_question(tmp_path, now):
    """Each run of a page, each file and each write asks again, so an admin ends sessions by it."""
    roles = tmp_path / "roles.toml"
    roles.write_text('[users]\nanna = "analyst"\n', encoding="utf-8")
    settings = Settings(sign_in="proxy", proxy_secret=SECRET, roles=roles)
    headers = {PROXY_HEADER: SECRET, "X-Forwarded-User": "anna", "X-Forwarded-Groups": "staff"}
    assert user_of(headers, settings).role == "analyst"
    roles.write_text(now, encoding="utf-8")
    with pytest.raises(NotPermitted, match="anna has no role"):
        user_of(headers, settings)
