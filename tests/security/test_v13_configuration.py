"""V13: what stands around the program, and what it tells of itself."""

import re
import tomllib

import pytest

from tests.security.asked import asked
from tests.security.source import PRODUCT, named
from tests.security.standard import ROOT, shows

SHOWN_BY = {
    "V13.2.2": (
        (
            "tests/team/test_limits.py"
            "::test_the_role_of_the_nodes_counts_and_can_neither_add_nor_revoke_a_key"
        ),
        (
            "tests/team/test_desk.py"
            "::test_the_audit_takes_no_change_from_its_owner_and_none_from_a_role_that_may_write"
        ),
    ),
    "V13.2.4": "tests/test_architecture.py::test_the_screen_names_no_other_host",
    "V13.3.2": (
        "tests/api/test_keys.py::test_the_file_is_for_its_owner_only",
        "tests/test_settings.py::test_the_key_shows_in_no_text_of_the_settings",
    ),
    "V13.4.2": "tests/pages/test_smoke.py::test_a_fault_of_ours_never_shows_a_traceback",
    "V13.4.5": (
        "tests/serving/test_bounds.py::test_ways_in_for_developers",
        (
            "tests/serving/test_owners.py"
            "::test_figures_of_the_server_and_everybodys_caches_are_for_admins"
        ),
        (
            "tests/api/test_document.py"
            "::test_the_document_needs_no_key_and_has_the_headers_of_every_answer"
        ),
    ),
}
WRITTEN = {"V13.1.1": ("tests/security/README.md", "| from | to | by | only if |")}
LEFT_TO = {
    "V13.3.1": "Bank: its vault writes the environment or the secrets file that a start reads.",
}
NOT_MET = {
    "V13.2.1": "The proxy's secret, passwords of PostgreSQL and Redis and keys of the object store "
    "do not expire, and a new one needs a restart.",
}
#: Packages that can open a connection to somewhere, and who may.
CONNECTS = {
    "httpx": {"services/client/transport.py", "services/edgar/web.py"},
    "obstore": {"services/shelf/objects.py"},
    "psycopg": {
        *("services/database/connections.py", "services/database/tables.py"),
        "services/desk/postgres.py",
    },
}


@shows("V13.2.4", "V13.2.5")
def test_connections_are_opened_where_the_settings_name_a_place_and_nowhere_else():
    for package, files in CONNECTS.items():
        found = {file for file, tree in PRODUCT.items() if package in set(named(tree))}
        assert found <= files, package
    imported = {name for tree in PRODUCT.values() for name in named(tree)}
    assert not imported & {"requests", "aiohttp", "urllib3", "ftplib", "smtplib", "telnetlib"}


@shows("V13.2.3")
def test_nothing_that_ships_has_a_password():
    """Where one belongs the files to deploy say PASSWORD, SECRET or nothing."""
    folder = ROOT / "services/shelf/deploy"
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        text = path.read_text(encoding="utf-8")
        for password in re.findall(r"://[\w.-]*:([^@\s/]+)@", text):
            assert password in {"PASSWORD", "..."} or password.startswith("$"), path.name
        for secret in re.findall(r"(?:SECRET|PASSWORD|API_KEY)[ \t]*[=:][ \t]*(\S*)", text):
            assert re.fullmatch(r"[\"']?(\$.*|\.\.\.|PASSWORD)?[\"']?", secret), path.name
        assert not re.search(r"ca_(live|test)_[A-Za-z0-9_-]{43}", text)
        assert not re.search(r"password \$5\$(?!salt\$hash)", text)


@shows("V13.4.1", "V13.4.3")
@pytest.mark.parametrize(
    "path",
    [
        *("/.git/config", "/.git/HEAD", "/.git/", "/.svn/entries", "/.env", "/static/.git/config"),
        *("/.streamlit/", "/static/", "/static/js/", "/media/", "/static/media/", "/services/"),
        *("/app.py", "/pyproject.toml", "/components/serving/application.py"),
    ],
)
def test_no_metadata_no_source_and_no_list_of_a_folder_is_served(pages, path):
    """Whatever is no file is the page, which is the same for everybody."""
    answer = asked(pages, path)
    for word in (b"[core]", b"ref: refs", b"index.", b"import streamlit", b"requires-python"):
        page = b"<title>Streamlit</title>" in answer.body
        assert word not in answer.body or (page and word == b"index.")
    assert b"Index of" not in answer.body
    assert b"Directory listing" not in answer.body


@shows("V13.4.2")
def test_nothing_is_started_for_developers():
    config = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert config["client"]["showErrorDetails"] == "none"
    assert config["client"]["toolbarMode"] == "minimal"
    assert config["server"]["fileWatcherType"] == "none"
    assert config["server"]["enableAgentApi"] is False
    assert "developmentMode" not in config.get("global", {})
    source = "\n".join((ROOT / file).read_text(encoding="utf-8") for file in PRODUCT)
    assert "debug=True" not in source
    assert "breakpoint()" not in source


@shows("V13.4.4")
@pytest.mark.parametrize("server", ["pages", "api"])
def test_trace_echoes_nothing(request, server):
    found = request.getfixturevalue(server)
    address = found if isinstance(found, str) else found.address
    for path in ("/", "/loans", "/v1/loans", "/healthz", "/static/js/x.js"):
        answer = asked(address, path, "TRACE", {"X-Echo": "the word to come back"})
        assert answer.status in {404, 405}
        assert b"the word to come back" not in answer.body


@shows("V13.4.6")
@pytest.mark.parametrize("server", ["pages", "api"])
def test_no_answer_names_a_version_of_the_server(request, server):
    found = request.getfixturevalue(server)
    address = found if isinstance(found, str) else found.address
    for path in ("/", "/none", "/v1/none", "/healthz"):
        headers = asked(address, path).headers
        assert not re.search(r"\d", headers["Server"] or "")
        assert headers["X-Powered-By"] is None
