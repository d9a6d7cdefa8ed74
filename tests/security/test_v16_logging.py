"""V16: what is written down of what happened, and what an error tells."""

import ast
import asyncio
import json
import logging
import re
from datetime import datetime, timedelta

import pytest

from components.serving.hosts import OnlyAsked
from services.api.log import JsonLines
from services.settings import Settings
from services.sign_in import PROXY_HEADER, user_of
from tests.security.asked import asked
from tests.security.source import PRODUCT, calls
from tests.security.standard import ROOT, shows

SECRET = "a secret of thirty-two characters"
SHOWN_BY = {
    "V16.2.1": (
        "tests/api/test_access.py::test_the_log_has_one_line_a_request_and_never_a_key",
        (
            "tests/desk/conforming_audit.py"
            "::test_what_is_written_is_recorded_by_whom_in_which_role_and_to_what"
        ),
    ),
    "V16.2.5": (
        "tests/client/test_key.py::test_the_key_is_in_no_log_at_any_level",
        (
            "tests/api/test_commands.py"
            "::test_who_added_and_revoked_a_key_is_recorded_and_never_the_key"
        ),
    ),
    "V16.3.1": (
        "tests/serving/test_sign_in.py::test_who_came_and_who_was_refused_stands_in_the_audit",
    ),
    "V16.3.2": (
        "tests/test_sign_in_audit.py::test_a_refusal_is_recorded_with_the_name_that_somebody_came_by",
        "tests/pages/test_session_end.py::test_a_role_that_was_narrowed_meanwhile_writes_nothing",
    ),
    "V16.3.4": (
        "tests/api/test_errors.py::test_a_failure_is_a_500_whose_detail_is_only_in_the_log",
        "tests/pages/test_audit.py::test_an_entry_that_could_not_be_written_is_in_the_log",
    ),
    "V16.4.1": "tests/desk/conforming_audit.py::test_a_sentence_is_kept_as_one_line_that_ends",
    "V16.4.2": (
        "tests/desk/test_desk.py::test_the_audit_takes_no_change",
        "tests/desk/test_damage.py::test_no_damage_is_silent",
    ),
    "V16.5.1": (
        "tests/api/test_errors.py::test_a_failure_is_a_500_whose_detail_is_only_in_the_log",
        "tests/pages/test_smoke.py::test_a_fault_of_ours_never_shows_a_traceback",
        "tests/test_bad_settings.py::test_a_command_ends_with_one_line_and_no_traceback",
    ),
    "V16.5.2": (
        (
            "tests/pages/test_watchlist.py"
            "::test_a_database_that_does_not_answer_leaves_pages_readable_and_holds_up_one_at_most"
        ),
        (
            "tests/api/test_shared.py"
            "::test_rates_are_counted_here_while_the_storage_is_down_and_there_again_afterwards"
        ),
    ),
    "V16.5.3": (
        "tests/api/test_access.py::test_a_key_file_that_is_gone_opens_nothing",
        "tests/api/test_shared.py::test_a_key_that_nobody_can_check_is_a_503_and_not_a_401",
        "tests/pages/test_audit.py::test_with_sign_in_a_file_that_cannot_be_recorded_is_refused",
    ),
}
WRITTEN = {"V16.1.1": ("tests/security/README.md", "| log | where | holds | kept |")}
LEFT_TO = {"V16.4.3": "Operating system: its journal sends what the service writes to a collector."}
HOSTILE = 'a\r\n{"time":"2026-01-01","status":200,"forged":true}\n\x1b[2Jb\u2028c\x00'


def line(message, *words):
    record = logging.LogRecord("x", logging.WARNING, "x.py", 1, message, words, None)
    return JsonLines().format(record)


@shows("V16.2.4", "V16.4.1")
def test_a_line_of_the_api_is_one_line_of_json_whatever_it_says():
    for said in (line("%s", HOSTILE), line({"message": HOSTILE})):
        assert json.loads(said)["message"] == HOSTILE
        assert "forged" not in json.loads(said)
        assert not {"\n", "\r", "\x1b", "\x00"} & set(said)


@shows("V16.2.2")
def test_a_line_says_its_time_in_utc():
    said = datetime.fromisoformat(json.loads(line("x"))["time"])
    assert said.utcoffset() == timedelta(0)
    naive = [
        f"{file}: {ast.unparse(call)}"
        for file, name, call in calls()
        if name in {"utcnow", "utcfromtimestamp"}
        or (name == "now" and ast.unparse(call.func) == "datetime.now" and not call.args)
    ]
    assert naive == []


@shows("V16.2.3")
def test_logs_go_to_the_streams_of_the_process_and_nowhere_else():
    handlers = {name for _, name, _ in calls() if name.endswith("Handler")}
    assert handlers <= {"StreamHandler"}
    source = "\n".join((ROOT / file).read_text(encoding="utf-8") for file in PRODUCT)
    assert not re.search(r"logging\.config|syslog|dictConfig|fileConfig", source)


@shows("V16.4.1")
@pytest.mark.parametrize("name", ["a\nb", "a\rb", "a\x1b[2Jb", "a\u2028b", "a\x00b", "a\x85b"])
def test_a_user_whose_name_would_forge_a_line_is_no_user(tmp_path, name):
    roles = tmp_path / "roles.toml"
    roles.write_text('default = "reader"\n', encoding="utf-8")
    settings = Settings(sign_in="proxy", proxy_secret=SECRET, roles=roles)
    sent = name.encode().decode("latin-1")
    try:
        found = user_of({PROXY_HEADER: SECRET, "X-Forwarded-User": sent}, settings).name
    except Exception as error:  # noqa: BLE001 - whichever says so
        found = str(error)
    assert found.isprintable()


@shows("V16.5.1")
@pytest.mark.parametrize("server", ["pages", "api"])
def test_no_answer_to_nonsense_tells_of_the_inside(request, server):
    found = request.getfixturevalue(server)
    address = found if isinstance(found, str) else found.address
    for path in (
        *("/%00", "/%ff%fe", "/v1/loans?page=%00", "/v1/loans/%ff", "/loans?state=%ff"),
        *("/_stcore/upload_file/x/y", "/_stcore/stream", "/media/%ff", "/v1/graph?depth=x"),
    ):
        for method in ("GET", "POST", "PUT", "DELETE"):
            answer = asked(address, path, method, {"Content-Length": "0"})
            for word in (b"Traceback", b'File "', b"site-packages", b"Error:", b"/home/"):
                assert word not in answer.body, (path, method)
            assert answer.status != 500


@shows("V16.3.3")
@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [("evil.example", None, 421), ("localhost", "http://evil.example", 403)],
)
def test_a_request_that_goes_round_a_control_is_in_the_log(host, origin, status, caplog):
    named = {"host": host, "origin": origin}
    headers = [(name.encode(), value.encode()) for name, value in named.items() if value]
    asked = {"type": "http", "method": "GET", "path": "/", "headers": headers,
             "client": ("203.0.113.7", 4_000)}  # fmt: skip
    sent = []

    async def send(message):
        sent.append(message)

    asyncio.run(OnlyAsked(None, host="127.0.0.1")(asked, None, send))
    assert sent[0]["status"] == status
    assert f"refused with {status}, asked from 203.0.113.7: " in caplog.text
