"""After the end of a session nothing is written: callbacks run before the page (D116, D122)."""

import time

import pytest

from components.desk.unfolding import named
from components.frame import visitor
from services.contract.audit import AuditFilter
from services.contract.desk import Subject
from services.contract.users import User
from services.desk.sqlite import SqliteDesk
from services.importers import demo
from services.sources import StoreWorkspace
from tests.pages.screen import said
from tests.patience import until
from tests.publishing import load_once

SECRET = "a secret of thirty-two letters and some"
LOAN = Subject(source=StoreWorkspace.label, kind="loan", name="CA-000012")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ends") / "store"
    load_once(folder, [demo.portfolio(loans=60)])
    return folder


@pytest.fixture
def page(folder, visit, tmp_path, monkeypatch, visited_before):
    """A loan's page of somebody who signed in, and what ends the session."""
    del visited_before
    (tmp_path / "roles.toml").write_text("default = 'admin'")
    monkeypatch.setattr(visitor, "who", lambda *_: User(name="anna", role="analyst"))
    return visit(
        "pages/loan.py", folder, {"loan_number": LOAN.name}, {f"notes {named(LOAN)}": True},
        desk=str(tmp_path / "desk.sqlite"),
        sign_in="proxy", proxy_secret=SECRET,
        roles=str(tmp_path / "roles.toml"), session_hours="1",
    )  # fmt: skip


@pytest.fixture
def desk(tmp_path):
    found = SqliteDesk(tmp_path / "desk.sqlite")
    found.add_note("anna", LOAN, "first")
    return found


def written(desk):
    """What users wrote, and who did what but for being refused."""
    desk.verify()
    return [
        (table, row)
        for table, row in desk.everything()
        if table not in {"heads", "seals"}
        and row.get("action") not in {"refused", "sign_in", "sign_out"}
    ]


def button(app, label):
    return next(one for one in app.button if one.label == label)


def test_what_a_page_offered_before_the_end_writes_nothing_after_it(desk, page, monkeypatch):
    app = page
    before = written(desk)
    app.text_area(app.text_area[0].key).set_value("written late")
    later = time.time() + 3_601
    with monkeypatch.context() as patch:
        patch.setattr(visitor.time, "time", lambda: later)
        button(app, "Add note").click().run()
        assert "Your session has ended" in said(app)
    assert written(desk) == before
    app.run()
    with monkeypatch.context() as patch:
        patch.setattr(visitor.time, "time", lambda: later)
        button(app, "Delete").click().run()
        assert "Your session has ended" in said(app)
    assert written(desk) == before


def test_who_signs_out_in_one_tab_writes_nothing_in_another(
    desk, page, visit, folder, tmp_path, monkeypatch
):
    first, before = page, written(desk)
    settings = {
        "desk": str(tmp_path / "desk.sqlite"), "sign_in": "proxy", "session_hours": "1",
        "proxy_secret": SECRET, "roles": str(tmp_path / "roles.toml"),
    }  # fmt: skip
    second = visit("pages/access.py", folder, **settings)
    assert "Your session has ended" not in said(second)
    button(second, "Sign out").click().run()
    assert "Your session has ended" in said(second)
    button(first, "Delete").click().run()
    assert "Your session has ended" in said(first)
    assert written(desk) == before
    # Who signs in again has a session of their own.
    assert "Your session has ended" not in said(visit("pages/access.py", folder, **settings))
    # Somebody else's goes on.
    monkeypatch.setattr(visitor, "who", lambda *_: User(name="ben", role="analyst"))
    assert "Your session has ended" not in said(visit("pages/access.py", folder, **settings))


def test_a_session_that_is_over_leads_to_where_the_proxy_signs_out(visit, folder, tmp_path):
    (tmp_path / "roles.toml").write_text("default = 'admin'")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(visitor, "who", lambda *_: User(name="cara", role="analyst"))
        patch.setattr(visitor, "ended", lambda: True)
        app = visit(
            "pages/loans.py", folder, {}, sign_in="proxy", sign_out="/oauth2/sign_out",
            proxy_secret=SECRET, roles=str(tmp_path / "roles.toml"),
        )  # fmt: skip
    (link,) = app.get("link_button")
    assert link.proto.url == "/oauth2/sign_out"


def test_a_role_that_was_narrowed_meanwhile_writes_nothing(desk, page, monkeypatch):
    app = page
    before = written(desk)
    monkeypatch.setattr(visitor, "who", lambda *_: User(name="anna", role="reader"))
    button(app, "Delete").click().run()
    assert "may not write notes" in said(app)
    assert written(desk) == before
    refused = AuditFilter(action="refused")
    (one,) = until(lambda: desk.entries(refused).items)  # it is written beside the page
    assert (one.by, one.role) == ("anna", "reader")
    assert "may not write notes" in one.detail
