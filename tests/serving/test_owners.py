"""A session, a file and a role are one user's: what another presents of them is worth nothing.

Pins S15 and S32 of components/README.md.
"""

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from services.contract.audit import AuditFilter
from services.desk.sqlite import SqliteDesk
from services.sign_in import PROXY_HEADER
from tests.servers import dashboard, warm
from tests.serving.talking import asked, session

SECRET = "a secret of thirty-two letters and some"
ROLES = '[users]\nrita = "reader"\nanna = "analyst"\nben = "analyst"\nada = "admin"\n'
LOANS = "loans", "state=TX"


def as_user(name):
    return {PROXY_HEADER: SECRET, "X-Forwarded-User": name}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("team")


@pytest.fixture(scope="module")
def server(store, folder):
    (folder / "roles.toml").write_text(ROLES, encoding="utf-8")
    settings = {
        "CREDIT_ATLAS_SIGN_IN": "proxy",
        "CREDIT_ATLAS_PROXY_SECRET": SECRET,
        "CREDIT_ATLAS_ROLES": str(folder / "roles.toml"),
        "CREDIT_ATLAS_DESK": str(folder / "desk.sqlite"),
    }
    with dashboard(store, **settings) as address:
        # Each page that is still being warmed clears files away when its run ends.
        yield warm(address)


@pytest.fixture
def roles(folder):
    """Changes a role while sessions are open."""
    path = folder / "roles.toml"

    def change(former, now):
        path.write_text(ROLES.replace(former, now), encoding="utf-8")

    yield change
    path.write_text(ROLES, encoding="utf-8")


def entries(folder):
    """Files that were given, the newest first."""
    found = SqliteDesk(folder / "desk.sqlite").entries(AuditFilter(action="export"))
    return [(entry.by, entry.role, entry.name) for entry in found.items]


def test_a_file_is_given_to_who_had_it_made_and_kept_by_nobody_on_the_way(server):
    # D109
    with session(server, as_user("anna")) as anna:
        url = anna.opens(*LOANS).take(anna.deferred["CSV"])
        status, headers, body = asked(server, url, headers=as_user("anna"))
        assert (status, headers["Cache-Control"]) == (200, "no-store")
        assert body.startswith(b"# Credit Atlas,loans")
        for name in ("ben", "ada", "rita", "eve", ""):
            status, headers, _ = asked(server, url, headers=as_user(name))
            assert (status, headers["Cache-Control"]) == (404, "no-store")
        assert asked(server, url)[0] == 403
        with session(server, as_user("ben")) as ben:
            again = ben.opens(*LOANS).take(ben.deferred["CSV"])
            assert again == url  # the same rows, and now his too
            assert asked(server, url, headers=as_user("ben"))[0] == 200


@pytest.mark.parametrize("name", ["rita", "ben", "ada", "eve", "anna"])
def test_the_button_of_another_session_gives_nothing_and_leaves_no_entry(server, folder, name):
    # D110
    with session(server, as_user("anna")) as anna, session(server, as_user(name)) as other:
        anna.opens(*LOANS)
        before = entries(folder)
        assert other.opens("access").take(anna.deferred["XLSX"]) is None
        assert entries(folder) == before
        assert anna.take(anna.deferred["XLSX"])
        assert entries(folder)[0][:2] == ("anna", "analyst")
        assert len(entries(folder)) == len(before) + 1


def test_a_role_that_was_taken_away_takes_no_file(server, folder, roles):
    # D110
    with session(server, as_user("anna")) as anna:
        anna.opens(*LOANS)
        url = anna.take(anna.deferred["CSV"])
        before = entries(folder)
        for former in ('anna = "analyst"', 'anna = "reader"'):
            now = 'anna = "reader"' if "analyst" in former else ""
            roles('anna = "analyst"', now)
            assert anna.take(anna.deferred["CSV"]) is None
            assert asked(server, url, headers=as_user("anna"))[0] == 403
        assert entries(folder) == before
        roles('anna = "analyst"', 'anna = "admin"')
        assert anna.take(anna.deferred["CSV"])
        assert entries(folder)[0][:2] == ("anna", "admin")


def test_a_session_is_gone_on_with_by_its_own_user_only(server):
    # D109
    with session(server, as_user("anna")) as anna:
        mine = anna.opens("access").id
        with session(server, as_user("ben"), existing=mine) as ben:
            assert ben.opens("access").id != mine  # while it is open
        anna.opens("access")
    for name in ("ben", "rita", "Anna"):
        with session(server, as_user(name), existing=mine) as other:
            assert other.opens("access").id != mine
    with session(server, as_user("anna"), existing=mine) as anna:
        assert anna.opens("access").id == mine


def test_a_file_for_the_session_of_another_is_not_taken(server):
    # D107
    with session(server, as_user("anna")) as anna:
        (path,) = anna.opens("loans").urls("numbers.csv")
        assert asked(server, path, "PUT", b"x", as_user("ben"))[0] == 403
        assert asked(server, path, "DELETE", headers=as_user("ben"))[0] == 403
        status, _, said = asked(server, path, "PUT", b"x", as_user("anna"))
        assert (status, b"XSRF" in said) == (403, True)  # hers, and only the token is missing


@pytest.mark.parametrize(
    ("name", "may"), [("rita", False), ("anna", False), ("eve", False), ("ada", True)]
)
def test_figures_of_the_server_and_everybodys_caches_are_for_admins(server, name, may):
    # D108
    status = asked(server, "/_stcore/metrics", headers=as_user(name))[0]
    assert status == (200 if may else 403)
    clear = BackMsg()
    clear.clear_cache = True
    with session(server, as_user(name)) as visitor:
        visitor.opens("loans")
        shown = name != "eve"
        # What is not answered is waited for less long than what is.
        assert bool(visitor.urls("numbers.csv", seconds=60 if shown else 2)) is shown
        visitor.say(clear)
        # It would clear the session's state too, in which it stands that an uploader is shown.
        kept = shown and not may
        assert bool(visitor.urls("numbers.csv", seconds=60 if kept else 2)) is kept
