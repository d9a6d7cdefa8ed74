"""The server behind a sign-in proxy: whom it answers, and what each role is shown (D81)."""

from http.client import HTTPConnection

import pytest
from websockets.exceptions import InvalidStatus

from services.contract.audit import AuditFilter
from services.contract.desk import Subject
from services.desk.sqlite import SqliteDesk
from services.sign_in import PROXY_HEADER
from services.sources import StoreWorkspace
from tests.patience import until
from tests.servers import dashboard
from tests.visitors import session, visit

SECRET = "a secret of thirty-two letters and some"
ROLES = '[users]\nrita = "reader"\nanna = "analyst"\nada = "admin"\n'
PAGE = "loan?loan_number=CA-000012"


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    return SqliteDesk(tmp_path_factory.mktemp("desk") / "desk.sqlite")


@pytest.fixture(scope="module")
def server(store, desk, tmp_path_factory):
    """With a note on the loan of the page, so that its notes are open."""
    folder = tmp_path_factory.mktemp("roles")
    roles = folder / "roles.toml"
    roles.write_text(ROLES, encoding="utf-8")
    loan = Subject(source=StoreWorkspace.label, kind="loan", name="CA-000012")
    desk.add_note("ada", loan, "Sponsor called.")
    settings = {
        "CREDIT_ATLAS_SIGN_IN": "proxy",
        "CREDIT_ATLAS_PROXY_SECRET": SECRET,
        "CREDIT_ATLAS_ROLES": str(roles),
        "CREDIT_ATLAS_DESK": str(desk._path),
    }
    with dashboard(store, **settings) as address:
        yield address


def status(server, path, *headers):
    connection = HTTPConnection(server.removeprefix("http://"), timeout=60)
    connection.putrequest("GET", path)
    for name, value in headers:
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def as_user(name):
    return {PROXY_HEADER: SECRET, "X-Forwarded-User": name}


def test_only_what_comes_by_the_proxy_is_answered(server):
    assert status(server, "/healthz") == 200
    for path in ("/", "/loans", "/_stcore/health", "/static/js/none.js", "/media/x"):
        assert status(server, path) == 403
        assert status(server, path, (PROXY_HEADER, SECRET[:-1])) == 403
        assert status(server, path, ("X-Forwarded-User", "ada")) == 403
    assert status(server, "/", (PROXY_HEADER, SECRET)) == 200


def test_a_header_that_comes_twice_is_not_the_proxys_alone(server):
    proxied = (PROXY_HEADER, SECRET)
    twice = [("X-Forwarded-User", "ada"), ("x-forwarded-user", "rita")]
    assert status(server, "/", proxied, *twice) == 403
    assert status(server, "/", proxied, proxied) == 403


@pytest.mark.parametrize("headers", [{}, {"X-Forwarded-User": "ada"}, {PROXY_HEADER: "no"}])
def test_a_session_is_refused_before_it_begins(server, headers):
    with pytest.raises(InvalidStatus) as refused:
        visit(server, PAGE, headers)
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize(
    ("name", "role", "writes", "exports"),
    [
        ("rita", "reader", False, False),
        ("anna", "analyst", True, True),
        ("ada", "admin", True, True),
    ],
)
def test_each_role_is_named_and_offered_what_it_may_do(server, name, role, writes, exports):
    with session(server, as_user(name)) as browser:
        seen = browser.waits(PAGE)
        assert f"{name}, {role}" in seen.words
        seen = browser.opens("Notes", seen)
    assert seen.fault() is None
    labels = [one.delta.new_element.button.label for one in seen.messages]
    assert ("Add note" in labels) is writes
    denied = "The role reader may not write notes; analyst and admin may."
    assert (denied in seen.words) is not writes
    loans = visit(server, "loans?state=TX", as_user(name))
    assert ("Your role takes nothing away" in loans.words) is not exports
    assert ("credit-atlas-loans.csv" in loans.words or "Export all" in loans.words) is exports


def test_somebody_without_a_role_sees_a_sentence_and_no_figure(server):
    seen = visit(server, PAGE, as_user("eve"))
    assert "eve has no role in Credit Atlas" in seen.words
    assert "DSCR" not in seen.words


def test_who_came_and_who_was_refused_stands_in_the_audit(server, desk):
    """D122."""
    assert status(server, "/loans", ("X-Forwarded-User", "ada")) == 403
    assert "eve has no role" in visit(server, PAGE, as_user("eve")).words
    assert visit(server, PAGE, as_user("rita")).fault() is None
    past_the_proxy = "A request from 127.0.0.1 did not come by the sign-in proxy"
    no_role = "eve has no role in Credit Atlas; ask its administrator for one"
    wanted = {
        ("unknown", "none", "refused", past_the_proxy),
        ("eve", "none", "refused", no_role),
        ("rita", "reader", "sign_in", ""),
    }  # fmt: skip
    until(
        lambda: (
            wanted
            <= {
                (one.by, one.role, one.action, one.detail)
                for one in desk.entries(AuditFilter(per_page=100)).items
            }
        )
    )
    desk.verify()


def test_a_server_whose_users_cannot_be_known_does_not_start(store):
    with (
        pytest.raises(RuntimeError, match="CREDIT_ATLAS_PROXY_SECRET is not set"),
        dashboard(store, CREDIT_ATLAS_SIGN_IN="proxy"),
    ):
        pass
