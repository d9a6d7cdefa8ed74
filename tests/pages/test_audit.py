"""The audit on Your access, and what is recorded when files are taken away (D91, D92)."""

import csv
import io
import sqlite3
import time
from contextlib import contextmanager
from datetime import date

import pytest

from components.access.audit import export
from components.frame import recording, visitor
from components.frame.exports import buttons
from services.contract.audit import AuditFilter, Deed
from services.contract.desk import Subject
from services.contract.errors import DeskUnavailable, NotPermitted
from services.contract.users import User
from services.desk.sqlite import SqliteDesk
from services.importers import demo
from services.settings import load as load_settings
from services.sign_in import local_user
from services.sources import StoreWorkspace, open_workspace
from tests.desk.acting import acting
from tests.exported import file_of
from tests.pages.ledger_reading import addresses, rows
from tests.pages.screen import said, shown
from tests.publishing import load, load_once
from tests.servers import service

LOAN = Subject(source=StoreWorkspace.label, kind="loan", name="CA-000012")
FILE = Deed(action="export", kind="file", name="credit-atlas-loans.csv", source="Demonstration",
            detail="CSV, 12 rows of loans: Loans in Texas, as of 2026-09-30")  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("audit") / "store"
    load_once(folder, [demo.portfolio(loans=60)])
    return folder


@pytest.fixture
def desk(tmp_path):
    return SqliteDesk(tmp_path / "desk.sqlite")


@pytest.fixture
def page(folder, visit, tmp_path):
    def run(file="pages/access.py", /, settings=(), **params):
        app = visit(file, folder, params, desk=str(tmp_path / "desk.sqlite"), **dict(settings))
        assert not app.exception
        return app

    return run


def filled(desk):
    acting(desk, "anna", "analyst").add_note("anna", LOAN, "nothing of this is shown")
    acting(desk, "anna", "analyst").record("anna", FILE)
    acting(desk, "rita", "reader").watch("rita", LOAN, None)


def test_it_lists_who_did_what_the_newest_first(page, desk):
    filled(desk)
    app = page()
    found = rows(app, "What was done")
    assert [(one["Who"], one["Role"], one["What was done"], one["To what"]) for one in found] == [
        ("rita", "reader", "began to watch", "CA-000012"),
        ("anna", "analyst", "took a file away", "credit-atlas-loans.csv"),
        ("anna", "analyst", "wrote a note", "CA-000012"),
    ]
    assert found[1]["Details"] == FILE.detail
    assert "All that was recorded: 3" in said(app)
    assert addresses(app, "Audit")[0] == "access?by=rita"
    assert "nothing of this" not in str(found)


@pytest.mark.parametrize(
    ("asked", "names", "sentence"),
    [
        ({"by": "anna"}, ["anna", "anna"], "All that was recorded by anna: 2"),
        ({"action": "watch"}, ["rita"], "Began to watch: 1"),
        ({"by": "anna", "action": "export", "since": "2020-01-01"}, ["anna"],
         "Took a file away by anna since 1 Jan 2020: 1"),
    ],
)  # fmt: skip
def test_it_is_asked_by_its_address(page, desk, asked, names, sentence):
    filled(desk)
    app = page(**asked)
    assert [one["Who"] for one in rows(app, "What was done")] == names
    assert sentence in said(app)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"by": "eve"}, "No results. All that was recorded by eve."),
        ({"since": "2190-01-01"}, "No results."),
        ({"action": "fly"}, "Parameter 'action' is 'fly' but must be"),
        ({"per_page": "7"}, "this page shows 25, 50, 100 rows"),
        ({"since": "2201-01-01"}, "must lie from 1900-01-01"),
        ({"page": "9"}, "Page 9 is beyond the last of 1."),
        ({"colour": "red"}, "Unknown parameter 'colour'"),
    ],
)
def test_what_it_cannot_show_is_said(page, desk, asked, sentence):
    filled(desk)
    assert sentence in said(page(**asked))


def test_nothing_recorded_and_a_desk_that_does_not_read_are_two_sentences(page, tmp_path):
    assert "Nothing was written or taken away yet." in said(page())
    (tmp_path / "desk.sqlite").write_bytes(b"no database" * 500)
    assert "cannot be read or written now" in said(page())


@pytest.mark.parametrize(
    ("role", "reads"), [("reader", False), ("analyst", False), ("admin", True)]
)
def test_only_admins_read_it(page, desk, monkeypatch, role, reads):
    filled(desk)
    monkeypatch.setattr(visitor, "who", lambda *_: User(name="una", role=role))
    app = page()
    assert ("your role does not read it" in said(app)) is not reads
    assert ("All that was recorded" in said(app)) is reads


def test_its_file_holds_every_entry_that_is_asked_for(page, desk):
    filled(desk)
    page()
    made = file_of(export(AuditFilter(by="anna", per_page=1))).decode()
    assert "# Shown,All that was recorded by anna" in made
    lines = [line for line in made.splitlines() if not line.startswith("#")]
    found = list(csv.DictReader(io.StringIO("\n".join(lines))))
    assert [(one["by"], one["action"], one["detail"]) for one in found] == [
        ("anna", "export", FILE.detail),
        ("anna", "add_note", "version 1"),
    ]


def test_a_file_is_recorded_with_format_rows_filters_source_and_day(page, desk, pressed):
    page("pages/loans.py", state="TX")
    assert not desk.people()
    made = pressed["credit-atlas-loans.csv"]()
    (entry,) = desk.entries(AuditFilter()).items
    count = sum(not line.startswith(b"#") for line in made.splitlines()) - 1
    assert (entry.by, entry.role, entry.action) == (local_user().name, "admin", "export")
    assert entry.name == "credit-atlas-loans.csv"
    assert entry.detail == f"CSV, {count} rows of loans: Loans in Texas, as of 2026-09-30"
    assert "emonstration" in entry.source
    pressed["credit-atlas-loans.parquet"]()
    assert [one.name for one in desk.every_entry(AuditFilter())] == [
        "credit-atlas-loans.parquet",
        "credit-atlas-loans.csv",
    ]


def test_the_audits_own_file_is_an_entry(page, desk, pressed):
    filled(desk)
    page()
    pressed["credit-atlas-audit.xlsx"]()
    newest = desk.entries(AuditFilter()).items[0]
    assert newest.detail.startswith("XLSX, 3 rows of audit: All that was recorded, as of ")


def test_files_of_the_graph_are_recorded(page, desk, pressed):
    page("pages/capital_graph.py", loan_number="CA-000012")
    pressed["credit-atlas-capital-graph.graphml"]()
    pressed["credit-atlas-capital-graph.json"]()
    json, graphml = desk.entries(AuditFilter(action="graph_file")).items
    assert graphml.detail.startswith("GraphML, ")
    assert json.detail.startswith("JSON, ")
    assert "edges: " in json.detail


@pytest.mark.parametrize(("role", "takes"), [("reader", False), ("analyst", True), ("admin", True)])
def test_files_of_the_graph_are_for_roles_that_may_take_files(page, monkeypatch, role, takes):
    monkeypatch.setattr(visitor, "who", lambda *_: User(name="una", role=role))
    app = page("pages/capital_graph.py", loan_number="CA-000012")
    offered = {one.proto.label: not one.proto.disabled for one in app.get("download_button")}
    assert {name: offered[name] for name in ("GraphML", "JSON")} == {
        "GraphML": takes,
        "JSON": takes,
    }


@pytest.mark.usefixtures("visited_before")
def test_a_large_file_is_recorded_when_it_is_taken_not_when_it_is_built(
    page, desk, pressed, monkeypatch
):
    monkeypatch.setattr(buttons, "AT_ONCE", 10)
    app = page("pages/loans.py")
    press(app, "Parquet")
    assert not desk.people()
    pressed["credit-atlas-loans.parquet"]()
    (entry,) = desk.entries(AuditFilter()).items
    assert entry.detail == "Parquet, 60 rows of loans: All loans, as of 2026-09-30"


@pytest.mark.usefixtures("visited_before")
def test_a_report_is_recorded_when_it_is_taken(page, desk, pressed):
    page("pages/loans.py", state="TX")
    assert not desk.people()
    assert pressed["credit-atlas-report.pdf"]().startswith(b"%PDF")
    (entry,) = desk.entries(AuditFilter()).items
    assert (entry.action, entry.name) == ("report", "credit-atlas-report.pdf")
    assert entry.detail == "PDF: Loans in Texas, as of 2026-09-30"


@pytest.mark.usefixtures("visited_before")
def test_an_entry_is_of_the_day_that_its_file_is_of(visit, tmp_path, pressed):
    folder, desk = tmp_path / "store", SqliteDesk(tmp_path / "desk.sqlite")
    load(folder, [demo.portfolio(loans=60, as_of=date(2026, 6, 30))])
    held = str(tmp_path / "desk.sqlite")
    visit("pages/loans.py", folder, {}, desk=held)
    opened = {"loan_number": LOAN.name, "memo": "yes"}
    press(visit("pages/loan.py", folder, opened, desk=held), "Make the memo")
    load(folder, [demo.portfolio(loans=60)])
    # The pages stand in the browser while a snapshot comes: what is made now is of that.
    for name in (
        "credit-atlas-report.pdf",
        "credit-atlas-loans.csv",
        "credit-atlas-memo-ca-000012.pdf",
    ):
        pressed[name]()
    days = {one.name: one.detail[-10:] for one in desk.every_entry(AuditFilter())}
    assert days == {
        "credit-atlas-report.pdf": "2026-09-30",
        "credit-atlas-loans.csv": "2026-09-30",
        "credit-atlas-memo-ca-000012.pdf": "2026-06-30",
    }


def press(app, label):
    (button,) = [one for one in app.button if shown(one.label).startswith(label)]
    button.click().run()
    assert not app.exception


@pytest.fixture
def over_api(folder, visit, tmp_path):
    """The Sources page over an API, with what fills the mirror in sight."""

    @contextmanager
    def run(**settings):
        workspace = open_workspace(load_settings(store=folder), "store")
        with service(tmp_path, {"production": workspace}) as api:
            given = {"source": "api", "api_url": api.address, "api_key": api.key(),
                     "desk": str(tmp_path / "desk.sqlite"), **settings}  # fmt: skip
            yield visit("pages/sources.py", tmp_path / "own", {}, {"mirror_open": True}, **given)
        workspace.close()

    return run


@pytest.mark.usefixtures("visited_before")
def test_filling_the_mirror_is_recorded(over_api, desk):
    with over_api() as app:
        press(app, "Fill with chains")
    (entry,) = desk.entries(AuditFilter()).items
    assert (entry.action, entry.kind, entry.detail) == (
        "fill_mirror",
        "mirror",
        "with ownership chains",
    )
    assert entry.name.startswith("API 127.0.0.1:")


@pytest.mark.usefixtures("visited_before")
def test_with_sign_in_a_mirror_is_not_filled_that_cannot_be_recorded(
    over_api, desk, tmp_path, monkeypatch
):
    desk.watch("ana", LOAN, None)
    no_entries(desk)
    (tmp_path / "roles.toml").write_text("default = 'admin'")
    monkeypatch.setattr(visitor, "who", lambda *_: User(name="ada", role="admin"))
    with over_api(sign_in="proxy", proxy_secret="a secret of thirty-two letters and some",
                  roles=str(tmp_path / "roles.toml")) as app:  # fmt: skip
        press(app, "Fill with chains")
        assert "cannot be read or written now" in said(app)
        assert "Not filled yet" in said(app.run())


def test_on_one_machine_a_file_is_given_though_it_cannot_be_recorded(page, desk, pressed):
    desk.watch("ana", LOAN, None)
    page("pages/loans.py")
    no_entries(desk)
    assert pressed["credit-atlas-loans.csv"]()
    assert len(desk.entries(AuditFilter()).items) == 1


def test_with_sign_in_a_file_that_cannot_be_recorded_is_refused(
    page, desk, pressed, monkeypatch, tmp_path
):
    desk.watch("ana", LOAN, None)
    (tmp_path / "roles.toml").write_text("default = 'admin'")
    settings = {"sign_in": "proxy", "proxy_secret": "a secret of thirty-two letters and some",
                "roles": str(tmp_path / "roles.toml")}  # fmt: skip
    monkeypatch.setattr(visitor, "who", lambda *_: User(name="anna", role="analyst"))
    page("pages/loans.py", settings)
    no_entries(desk)
    with pytest.raises(DeskUnavailable):
        pressed["credit-atlas-loans.csv"]()
    pressed.clear()
    (tmp_path / "desk.sqlite").write_bytes(b"no database" * 500)
    app = page("pages/loans.py", settings)
    assert "Nothing can be taken away now, for it could not be recorded." in said(app)
    assert not pressed


def test_a_page_that_stands_in_a_browser_gives_no_file_once_its_session_is_over(
    page, desk, pressed, monkeypatch, tmp_path
):
    (tmp_path / "roles.toml").write_text("default = 'admin'")
    settings = {"sign_in": "proxy", "proxy_secret": "a secret of thirty-two letters and some",
                "roles": str(tmp_path / "roles.toml"), "session_hours": "1"}  # fmt: skip
    monkeypatch.setattr(visitor, "who", lambda *_: User(name="anna", role="analyst"))
    page("pages/loans.py", settings)
    take = pressed["credit-atlas-loans.csv"]
    assert take()
    later = time.time() + 3_601
    monkeypatch.setattr(visitor.time, "time", lambda: later)
    with pytest.raises(NotPermitted, match="Your session has ended"):
        take()
    assert desk.entries(AuditFilter(action="export")).total == 1


def no_entries(desk):
    """From now on the audit takes none."""
    file = sqlite3.connect(desk._path)
    file.execute("CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no'); END")
    file.commit()
    file.close()


def test_an_entry_that_could_not_be_written_is_in_the_log(page, desk, pressed, caplog):
    desk.watch("ana", LOAN, None)
    page("pages/loans.py")
    no_entries(desk)
    pressed["credit-atlas-loans.csv"]()
    assert recording.log.name == "credit_atlas"
    assert f"not recorded: export by {local_user().name}" in caplog.text
