"""Chromium through a real HAProxy that signs people in: what each role sees and may not (D81, D91).

The configuration is the one that ships, with its lines for sign-in taken in.
"""

import base64
import csv
import re
import shutil
import subprocess
from contextlib import ExitStack
from http.client import HTTPConnection
from itertools import cycle

import pytest
from playwright.sync_api import TimeoutError as Waited
from playwright.sync_api import expect

from services.contract.audit import AuditFilter
from services.desk.sqlite import SqliteDesk
from tests.browser.conftest import PATIENCE, SETTLED
from tests.chromium import chromium_path, started
from tests.patience import until
from tests.servers import command, dashboard
from tests.team.conftest import missing
from tests.team.test_balancer import answers, configured
from tests.visitors import visit

pytestmark = pytest.mark.team

SECRET = "a secret of thirty-two letters and some"
ROLES = '[groups]\nanalysts = "analyst"\nadmins = "admin"\n\n[users]\nrita = "reader"\n'
PASSWORDS = {"rita": "reads", "anna": "asks", "ada": "rules", "eve": "listens"}
FORGED = {
    "X-Forwarded-User": "ada",
    "X-Forwarded-Groups": "admins",
    "X-Credit-Atlas-Proxy": "guess",
}
LOAN = "/loan?loan_number=CA-000012"
#: Hours that last six seconds.
SHORT = "0.0016667"


@pytest.fixture(scope="module")
def own_store(store, tmp_path_factory):
    """With a desk of these tests' own."""
    return shutil.copytree(store, tmp_path_factory.mktemp("signed-in") / "store")


def with_sign_in(text):
    """The configuration that ships, with its sign-in and these users."""
    text = text.replace("#auth ", "")
    for name in ("rita", "anna", "ada"):
        line = f"user {name} password $5$salt$hash"
        assert text.count(line) == 1
        text = text.replace(line, f"user {name} password {hashed(PASSWORDS[name])}")
    # Somebody who is let in and has no role.
    return text + f"    user eve password {hashed(PASSWORDS['eve'])}\n"


def hashed(password):
    done = subprocess.run(
        ["openssl", "passwd", "-5", password], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture(scope="module")
def site(haproxy, own_store, tmp_path_factory):
    """Makes a dashboard behind its proxy: gives the addresses of both."""
    with ExitStack() as running:

        def made(**settings):
            folder = tmp_path_factory.mktemp("proxy")
            (folder / "roles.toml").write_text(ROLES, encoding="utf-8")
            behind = running.enter_context(
                dashboard(
                    own_store,
                    CREDIT_ATLAS_SIGN_IN="proxy",
                    CREDIT_ATLAS_PROXY_SECRET=SECRET,
                    CREDIT_ATLAS_ROLES=str(folder / "roles.toml"),
                    **settings,
                )
            )
            answers(200, behind, "/readyz")  # before that the proxy would send nobody there
            port = behind.rsplit(":", 1)[-1]
            places = dict.fromkeys(("192.0.2.11:8501", "192.0.2.12:8501"), port)
            path, front = configured(folder, places, with_sign_in)
            words = [haproxy, "-db", "-f", str(path)]
            proxy = running.enter_context(command(words, front, CREDIT_ATLAS_PROXY_SECRET=SECRET))
            return proxy, behind

        yield made


@pytest.fixture(scope="module")
def signed_in(site):
    return site()


@pytest.fixture(scope="module")
def browser():
    path = chromium_path()
    if path is None:
        missing("there is no Chromium here; install Debian's 'chromium' to run these tests")
    with started(path) as running:
        yield running


@pytest.fixture
def tab(browser):
    """Opens a page in a browser of somebody's own, who gives name and password."""
    contexts = []

    def opened(site, path, name, **options):
        credentials = {"username": name, "password": PASSWORDS[name]}
        context = browser.new_context(http_credentials=credentials, **options)
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        go(page, site[0] + path)
        return page

    yield opened
    for one in contexts:
        one.close()


def go(page, address):
    page.goto(address)
    settled(page)


def settled(page):
    page.wait_for_selector(".st-key-page-end", state="attached")
    page.evaluate(SETTLED)


def words(page):
    return page.inner_text("[data-testid=stMain]")


def basic(name, password=None):
    text = f"{name}:{PASSWORDS[name] if password is None else password}"
    return {"Authorization": "Basic " + base64.b64encode(text.encode()).decode()}


def status(address, path="/", headers=None):
    connection = HTTPConnection(re.sub("^http://", "", address), timeout=60)
    connection.request("GET", path, headers=headers or {})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def test_nobody_comes_in_without_their_password_nor_past_the_proxy(signed_in):
    proxy, behind = signed_in
    assert status(proxy) == 401
    assert status(proxy, headers=basic("ada", "guess")) == 401
    assert status(proxy, headers=FORGED) == 401
    assert status(proxy, headers=basic("rita")) == 200
    assert status(behind) == status(behind, headers=FORGED) == 403
    assert status(behind, headers=basic("ada") | FORGED) == 403


def test_a_reader_takes_nothing_away_and_writes_no_note(signed_in, tab):
    page = tab(signed_in, "/access", "rita")
    assert "You are rita, as the sign-in proxy says, and reader." in words(page)
    assert "your role does not read it" in words(page)
    go(page, signed_in[0] + "/loans?state=TX")
    expect(page.get_by_role("button", name="Export", exact=True)).to_be_disabled()
    for name in ("CSV", "XLSX", "Parquet", "Report"):
        assert page.get_by_role("button", name=name, exact=True).count() == 0
    go(page, signed_in[0] + LOAN)
    page.get_by_role("button", name="Notes · 0").click()
    expect(page.get_by_text("The role reader may not write notes")).to_be_visible()
    assert page.get_by_role("textbox", name="New note").count() == 0
    assert page.get_by_role("button", name="Add note").count() == 0


def test_an_analyst_takes_a_file_and_writes_a_note_and_an_admin_sees_both_in_the_audit(
    signed_in, tab, own_store, tmp_path
):
    page = tab(signed_in, "/loans?state=TX", "anna")
    with page.expect_download() as coming:
        page.get_by_role("button", name="CSV", exact=True).click()
    coming.value.save_as(tmp_path / "loans.csv")
    lines = (tmp_path / "loans.csv").read_text().splitlines()
    rows = list(csv.reader(line for line in lines if not line.startswith("#")))[1:]
    go(page, signed_in[0] + LOAN)
    page.get_by_role("button", name="Notes · 0").click()
    page.get_by_role("textbox", name="New note").fill("Sponsor called.")
    page.get_by_role("button", name="Add note").click()
    try:
        page.get_by_role("button", name="Notes · 1").wait_for(timeout=60_000)
    except Waited:
        pytest.fail(words(page))
    go(page, signed_in[0] + "/access")
    assert "your role does not read it" in words(page)
    page = tab(signed_in, "/access", "ada")
    assert "You are ada, as the sign-in proxy says, and admin." in words(page)
    listed = page.get_by_role("table").filter(has_text="What was done").get_by_role("row")
    # The newest is that she, an admin, has just signed in: it is written beside the page.
    rows_of = [one for one in listed.all_inner_texts() if "signed in" not in one]
    note, export = rows_of[1:3]
    assert all(one in note for one in ("anna", "analyst", "wrote a note", "CA-000012"))
    assert all(one in export for one in ("anna", "analyst", "took a file away"))
    assert f"CSV, {len(rows)} rows of loans: Loans in Texas, as of " in export
    assert "Sponsor called." not in words(page)
    # What an admin takes of it is an entry too.
    with page.expect_download():
        page.get_by_role("button", name="Parquet", exact=True).click()
    newest, *_ = SqliteDesk(own_store / "desk.sqlite").every_entry(AuditFilter())
    assert (newest.by, newest.role, newest.name) == ("ada", "admin", "credit-atlas-audit.parquet")


def test_headers_that_a_browser_forges_get_it_nothing(signed_in, tab):
    page = tab(signed_in, "/access", "rita", extra_http_headers=FORGED)
    assert "You are rita, as the sign-in proxy says, and reader." in words(page)
    assert "ada" not in words(page)
    # And on the WebSocket, where a browser sends no headers of a page's own.
    seen = visit(signed_in[0], "access", basic("rita") | FORGED)
    assert "You are rita, as the sign-in proxy says, and reader." in seen.words
    seen = visit(signed_in[0], "access", basic("eve") | FORGED)
    assert "eve has no role in Credit Atlas" in seen.words


def test_somebody_without_a_role_sees_a_sentence_and_no_figure(signed_in, tab):
    page = tab(signed_in, LOAN, "eve")
    assert "eve has no role in Credit Atlas" in words(page)
    assert "DSCR" not in words(page)


def test_a_session_ends_with_a_sentence_and_a_reload_begins_the_next(site, tab):
    short = site(CREDIT_ATLAS_SESSION_HOURS=SHORT)
    page = tab(short, "/access", "rita")
    assert "You are rita" in words(page)

    tiers = cycle(["Resolution", "Base"])

    def ended():
        """Whether the page says so once it is asked for anything."""
        page.get_by_role("radio", name=next(tiers), exact=True).click()
        settled(page)
        return page.get_by_text("Your session has ended. Reload the page to sign in again.").count()

    until(ended)
    assert "You are rita" not in words(page)
    page.reload()
    settled(page)
    assert "You are rita" in words(page)
