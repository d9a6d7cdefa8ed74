"""Who may write is asked at each write: the session, the role, the name, the pace (D116, D117)."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from services.contract.access import MAY
from services.contract.audit import AUDIT_ACTIONS, AuditFilter, Deed
from services.contract.errors import InvalidRequest, NotPermitted, RateLimited
from services.contract.users import User
from services.desk.sqlite import SqliteDesk
from tests.desk.acting import acting
from tests.desk.conforming import FOUND, HOTELS, LATER, LIST, LOAN, PARTY, SEEN

EVERY = AuditFilter(per_page=100)
FILE = Deed(action="export", kind="file", name="loans.csv")


@pytest.fixture
def desk(tmp_path):
    return SqliteDesk(tmp_path / "desk.sqlite")


def everything(desk):
    return json.dumps([*desk.everything()], default=str)


class Session:
    """Somebody who is signed in until `over`."""

    def __init__(self, name="ana", role="admin"):
        self.over, self.user = False, User(name=name, role=role)

    def __call__(self):
        if self.over:
            raise NotPermitted("Your session has ended; reload the page to sign in again")
        return self.user


def test_a_hundred_writes_after_the_end_of_a_session_and_none_lands(desk):
    """D116: by a desk that was handed out before."""
    session = Session()
    mine = desk.acting(session)
    note = mine.add_note("ana", LOAN, "first")
    mine.watch("ana", LOAN, None)
    saved = mine.save_search("ana", "Hotels", HOTELS, FOUND)
    before = everything(desk)
    session.over = True
    writes = (
        lambda: mine.add_note("ana", LOAN, "late"),
        lambda: mine.edit_note("ana", note.note_id, 1, "late"),
        lambda: mine.delete_note("ana", note.note_id, 1),
        lambda: mine.watch("ana", PARTY, SEEN),
        lambda: mine.unwatch("ana", LOAN),
        lambda: mine.see("ana", {LOAN: SEEN}),
        lambda: mine.save_search("ana", "late", LIST, FOUND),
        lambda: mine.change_search("ana", saved.search_id, 1, found=LATER),
        lambda: mine.delete_search("ana", saved.search_id, 1),
        lambda: mine.record("ana", FILE),
    )
    for at in range(100):
        with pytest.raises(NotPermitted, match="session has ended"):
            writes[at % len(writes)]()
    assert everything(desk) == before


def test_a_session_that_ends_while_it_writes_has_written_nothing(desk, monkeypatch):
    session = Session()
    mine = desk.acting(session)
    now = mine._now()

    def later():
        session.over = True
        return now

    monkeypatch.setattr(mine, "_now", later)
    with pytest.raises(NotPermitted):
        mine.watch("ana", LOAN, None)
    assert desk.watched("ana", LOAN.source) == ()


def test_a_role_that_was_taken_away_meanwhile_writes_no_more(desk):
    session = Session(role="analyst")
    mine = desk.acting(session)
    note = mine.add_note("ana", LOAN, "first")
    session.user = User(name="ana", role="reader")
    before = everything(desk)
    for write in (
        lambda: mine.add_note("ana", LOAN, "second"),
        lambda: mine.delete_note("ana", note.note_id, 1),
        lambda: mine.record("ana", FILE),
        lambda: mine.save_search("ana", "Hotels", HOTELS, FOUND, shared=True),
    ):
        with pytest.raises(NotPermitted, match="The role reader may not"):
            write()
    assert everything(desk) == before
    mine.watch("ana", LOAN, None)
    assert desk.entries(EVERY).items[0].role == "reader"


@pytest.mark.parametrize("role", MAY)
def test_what_a_role_may_not_do_is_not_recorded(desk, role):
    needs = {"watch": "watch", "unwatch": "watch", "see": "watch", "save_search": "watch",
             "change_search": "watch", "delete_search": "watch", "add_note": "note",
             "edit_note": "note", "delete_note": "note", "share_search": "share",
             "export": "export", "report": "export", "graph_file": "export",
             **dict.fromkeys(("open_case", "change_case", "close_case", "reopen_case",
                              "look_at_cases"), "case"),
             "make_feed": "export", "revoke_feed": "watch",
             "accept_match": "match", "reject_match": "match", "undo_match": "match",
                 "fill_mirror": "fill", "load_tape": "tape", "add_key": "watch",
             "revoke_key": "watch"}  # fmt: skip
    done = []
    # Who comes, goes and is refused is recorded by the server itself.
    assert needs.keys() == AUDIT_ACTIONS.keys() - {"sign_in", "sign_out", "refused"}
    for action, needed in needs.items():
        deed = Deed(action=action, kind=None, name="one")
        if needed in MAY[role]:
            acting(desk, "ana", role).record("ana", deed)
            done.append(action)
        else:
            with pytest.raises(NotPermitted):
                acting(desk, "ana", role).record("ana", deed)
    assert [one.action for one in desk.every_entry(EVERY)][::-1] == done


def test_nobody_writes_as_another_user(desk):
    mine = acting(desk, "ana", "admin")
    for write in (
        lambda: mine.add_note("ben", LOAN, "not mine"),
        lambda: mine.watch("ben", LOAN, None),
        lambda: mine.record("ben", FILE),
    ):
        with pytest.raises(NotPermitted, match="ana is signed in"):
            write()
    mine.watch(" ANA", LOAN, None)
    assert len(desk.watched("ana", LOAN.source)) == 1


def test_a_user_writes_so_often_a_minute_and_is_told_how_long_to_wait(tmp_path):
    """D117: whichever process of the machine it is; what is refused does not count."""
    now = [datetime(2026, 11, 22, 9, tzinfo=UTC)]

    def opened():
        return SqliteDesk(tmp_path / "desk.sqlite", clock=lambda: now[0], most_a_minute=5)

    for at in range(5):
        acting(opened(), "ana", "analyst").add_note("ana", LOAN, f"{at}")
        now[0] += timedelta(seconds=5)
    for _ in range(3):
        with pytest.raises(RateLimited, match=r"5 writes a minute .*wait 35 s") as caught:
            acting(opened(), "ana", "analyst").add_note("ana", LOAN, "too fast")
        assert caught.value.retry_after == 35
    with pytest.raises(InvalidRequest):
        acting(opened(), "ana", "analyst").add_note("ana", LOAN, "")
    acting(opened(), "ben", "analyst").add_note("ben", LOAN, "another")
    now[0] += timedelta(seconds=35)
    acting(opened(), "ana", "analyst").add_note("ana", LOAN, "5")
    with pytest.raises(RateLimited, match="wait 5 s"):
        acting(opened(), "ana", "analyst").watch("ana", LOAN, None)
    assert len(opened().notes_of(LOAN)) == 7
    opened().add_note("ana", LOAN, "by the machine's own commands nothing is counted")
    opened().verify()
