"""A calendar feed over the wire: what its address gives, and that any other gives a sentence."""

from datetime import date

import httpx
import pytest
import vobject
from starlette.applications import Starlette
from starlette.testclient import TestClient

from components.frame import session
from components.serving.feeds import CalendarFeeds
from services.calendar_feed import dates
from services.contract.desk import Subject
from services.contract.loan_dates import DateFilter
from services.desk.sqlite import SqliteDesk
from services.settings import Settings
from services.sign_in import PROXY_HEADER, local_user
from services.sources import StoreWorkspace, open_workspace
from services.store.leases import Store
from tests.publishing import load
from tests.servers import dashboard
from tests.two_dates import SOUND
from tests.world import RATES, Sketch, info_of

TODAY, BEFORE = date(2026, 9, 30), date(2026, 9, 29)
ME = local_user().name
NONE = "There is no such calendar feed, or it was revoked; make one on the page Calendar.\n"
ROLES = '[users]\nanna = "analyst"\nrita = "reader"\n[groups]\ncredit = "analyst"\n'


@pytest.fixture
def desk(tmp_path):
    return SqliteDesk(tmp_path / "desk.sqlite")


@pytest.fixture
def client(store, desk, monkeypatch):
    """What asks a server with these further settings."""
    opened = []

    def of(**further):
        settings = Settings(store=store, desk=desk._path, **further)
        workspace = open_workspace(settings)
        opened.append(workspace)
        monkeypatch.setattr(session, "kinds", lambda: ("store",))
        monkeypatch.setattr(session, "opened", lambda _: workspace)
        return TestClient(Starlette(routes=CalendarFeeds(settings).routes()))

    yield of
    for workspace in opened:
        workspace.close()


def watch(desk, *numbers, by=ME):
    for number in numbers:
        desk.watch(by, Subject(source=StoreWorkspace.label, kind="loan", name=number), None)


@pytest.fixture(scope="module")
def source(store):
    with Store(store).lease() as found:
        yield found


def by_hand(source, *numbers):
    """Days and loans by another read, from the as-of date on."""
    as_of = source.snapshot().as_of
    found = source.dates_found(DateFilter(numbers=numbers, per_page=100))
    assert found.total == len(found.items)
    return [(one.day, one.loan_number) for one in found.items if one.day >= as_of]


def test_it_holds_the_dates_to_come_of_watched_loans_alone(source, desk, client):
    numbers = ("CA-000012", "CA-000040")
    watch(desk, *numbers)
    watch(desk, "CA-000013", by="somebody else")
    token = desk.make_feed(ME)
    answer = client(dashboard_url="https://atlas.example").get(f"/feeds/{token}.ics")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    read = vobject.readOne(answer.text)
    found = [(one.dtstart.value, one.url.value.rpartition("=")[2]) for one in read.vevent_list]
    assert found == by_hand(source, *numbers)
    assert len(found) > 2
    assert token not in answer.text


def test_a_revoked_replaced_or_unknown_token_gets_one_sentence(desk, client, caplog):
    server = client()
    first = desk.make_feed(ME)
    second = desk.make_feed(ME)
    desk.revoke_feed(ME)
    for token in (first, second, "x" * 43, "x", "%2e%2e", "é", "a" * 5_000):
        answer = server.get(f"/feeds/{token}.ics")
        assert (answer.status_code, answer.text) == (404, NONE)
        assert answer.headers["cache-control"] == "no-store"
    assert first not in caplog.text
    assert second not in caplog.text
    assert server.post(f"/feeds/{second}.ics").status_code == 405


def test_who_has_left_or_may_take_nothing_away_has_none(desk, client, tmp_path):
    roles = tmp_path / "roles.toml"
    roles.write_text(ROLES, encoding="utf-8")
    server = client(sign_in="proxy", proxy_secret="s" * 40, roles=roles)
    tokens = {name: desk.make_feed(name) for name in ("Anna", "rita", "zoe")}
    told = {name: server.get(f"/feeds/{one}.ics").status_code for name, one in tokens.items()}
    assert told == {"Anna": 200, "rita": 404, "zoe": 404}
    roles.write_text(ROLES.replace('anna = "analyst"\n', ""), encoding="utf-8")
    assert server.get(f"/feeds/{tokens['Anna']}.ics").status_code == 404


def test_without_sign_in_the_feed_of_another_user_is_not_this_machines(desk, client):
    token = desk.make_feed("somebody else")
    assert client().get(f"/feeds/{token}.ics").status_code == 404


def test_a_desk_that_does_not_read_is_said_without_its_path_and_without_the_token(
    desk, client, caplog
):
    token = desk.make_feed(ME)
    desk._path.write_bytes(b"no desk" * 1_000)
    answer = client().get(f"/feeds/{token}.ics")
    said = "The calendar cannot be read now; try again later.\n"
    assert (answer.status_code, answer.text) == (503, said)
    assert "desk.sqlite" in caplog.text
    assert token not in caplog.text


def books(folder):
    """A tape of ours, and a deal of others."""
    made = []
    for key, importer, loans in (
        ("made-up:Ours", "tape", {"ours": TODAY, "both": date(2027, 3, 1), "past": BEFORE}),
        ("made-up:Deal", "made-up", {"theirs": date(2026, 12, 1), "not watched": TODAY}),
    ):
        sketch = Sketch(info_of(key, as_of=TODAY, importer=importer))
        for number, day in loans.items():
            sketch.loan(number, **SOUND | {"maturity_date": day, "origination_date": None})
        made.append(sketch.portfolio())
    load(folder, made, rates=RATES)


def test_ones_own_book_and_watched_loans_stand_once_by_day_the_as_of_date_included(
    tmp_path, monkeypatch
):
    books(tmp_path)
    with Store(tmp_path).lease() as source:

        def found(*watched):
            every = dates(source, watched)
            return [(one.day, one.loan_number) for one in every if one.kind == "maturity"]

        ours = [(TODAY, "ours"), (date(2027, 3, 1), "both")]
        assert found() == ours
        with_theirs = [ours[0], (date(2026, 12, 1), "theirs"), ours[1]]
        assert found("both", "past", "theirs", "unknown") == with_theirs
        every = dates(source, ("theirs",))
        monkeypatch.setattr("services.calendar_feed.MOST_DATES", len(every) - 1)
        assert dates(source, ("theirs",)) == every[:-1]


def test_the_server_gives_it_without_a_user_behind_the_proxys_secret_alone(store, desk, tmp_path):
    roles = tmp_path / "roles.toml"
    roles.write_text(ROLES, encoding="utf-8")
    settings = {
        "CREDIT_ATLAS_SIGN_IN": "proxy",
        "CREDIT_ATLAS_PROXY_SECRET": "s" * 40,
        "CREDIT_ATLAS_ROLES": str(roles),
        "CREDIT_ATLAS_DESK": str(desk._path),
    }
    watch(desk, "CA-000012", by="anna")
    token = desk.make_feed("anna")
    with dashboard(store, **settings) as address:
        secret = {PROXY_HEADER: "s" * 40}
        found = httpx.get(f"{address}/feeds/{token}.ics", headers=secret, timeout=60)
        assert found.status_code == 200
        assert found.text.startswith("BEGIN:VCALENDAR")
        assert found.headers["x-content-type-options"] == "nosniff"
        other = httpx.get(f"{address}/feeds/{'x' * 43}.ics", headers=secret, timeout=60)
        assert (other.status_code, other.text) == (404, NONE)
        assert httpx.get(f"{address}/feeds/{token}.ics", timeout=60).status_code == 403
