"""What the audit of every desk does: an entry for each write, by whom, in which role (D91).

That every write leaves exactly one entry is what the machine of `machine.py` tries.
"""

from datetime import UTC, date, datetime

import pytest

from services.contract.audit import AUDIT_ACTIONS, LONGEST_DETAIL, AuditFilter, Deed
from services.contract.errors import NoteConflict
from services.desk import audit as audit_in_sql
from services.desk.copying import dump, restore
from tests.desk.acting import acting
from tests.desk.conforming import FOUND, HOTELS, LATER, LOAN, PARTY, SEEN
from tests.hostile import WORDS

EVERY = AuditFilter()
FILE = Deed(action="export", kind="file", name="loans.csv", source="Demonstration",
            detail="CSV, 12 rows of loans: Loans in Texas, as of 2026-09-30")  # fmt: skip


def entries(desk, **asked):
    return [
        (one.by, one.role, one.action, one.kind, one.name, one.detail)
        for one in desk.entries(AuditFilter(per_page=100, **asked)).items
    ][::-1]


class ConformingAudit:
    """To be inherited beside the fixtures `desk`, `opened` and `another`."""

    def test_what_is_written_is_recorded_by_whom_in_which_role_and_to_what(self, opened):
        desk = acting(opened(), "ana", "analyst")
        desk.watch("ana", LOAN, SEEN)
        desk.see("ana", {LOAN: SEEN, PARTY: SEEN})
        desk.watch("ana", PARTY, None)
        desk.see("ana", {LOAN: SEEN, PARTY: SEEN})
        desk.unwatch("ana", LOAN)
        note = desk.add_note("ana", LOAN, "a text that no entry repeats")
        acting(opened(), "ben", "admin").edit_note("ben", note.note_id, 1, "nor this one")
        desk.delete_note("ana", note.note_id, 2)
        assert entries(desk) == [
            ("ana", "analyst", "watch", "loan", LOAN.name, ""),
            ("ana", "analyst", "see", "loan", LOAN.name, ""),
            ("ana", "analyst", "watch", "entity", PARTY.name, ""),
            ("ana", "analyst", "see", None, "2 loans and parties", ""),
            ("ana", "analyst", "unwatch", "loan", LOAN.name, ""),
            ("ana", "analyst", "add_note", "loan", LOAN.name, "version 1"),
            ("ben", "admin", "edit_note", "loan", LOAN.name, "version 2"),
            ("ana", "analyst", "delete_note", "loan", LOAN.name, "version 2"),
        ]
        assert {one.source for one in desk.entries(EVERY).items} == {LOAN.source}

    def test_what_is_done_to_a_search_is_said_in_words(self, desk):
        saved = desk.save_search("ana", "Hotels", HOTELS, FOUND)
        desk.change_search("ana", saved.search_id, 1, name="Inns", found=LATER)
        desk.change_search("ana", saved.search_id, 2, shared=True)
        desk.change_search("ana", saved.search_id, 3, shared=False)
        desk.delete_search("ana", saved.search_id, 4)
        desk.save_search("ana", "Hotels", HOTELS, FOUND, shared=True)
        asked = 'loans: {"property_type": "hotel", "state": "TX"}'
        assert [one[2:] for one in entries(desk)] == [
            ("save_search", "search", "Hotels", asked),
            ("change_search", "search", "Inns", "renamed from 'Hotels', counts marked as seen"),
            ("share_search", "search", "Inns", "shared with everybody"),
            ("change_search", "search", "Inns", "no longer shared"),
            ("delete_search", "search", "Inns", asked),
            ("share_search", "search", "Hotels", asked),
        ]

    def test_what_changes_nothing_and_what_is_refused_is_not_recorded(self, desk):
        note = desk.add_note("ana", LOAN, "first")
        desk.watch("ana", LOAN, None)
        before = entries(desk)
        desk.watch("ana", LOAN, SEEN)
        desk.unwatch("ben", LOAN)
        desk.see("ben", {LOAN: SEEN})
        with pytest.raises(NoteConflict):
            desk.edit_note("ana", note.note_id, 7, "second")
        assert entries(desk) == before

    def test_a_write_whose_entry_cannot_be_written_is_not_done(self, desk, monkeypatch):
        """Both are one transaction."""
        desk.watch("ana", PARTY, None)
        for write, *arguments in (
            (desk.add_note, LOAN, "first"),
            (desk.watch, LOAN, None),
            (desk.unwatch, PARTY),
            (desk.see, {PARTY: SEEN}),
            (desk.save_search, "Hotels", HOTELS, FOUND),
        ):
            with monkeypatch.context() as patch:
                patch.setattr(type(desk), "_recorded", lambda *_: 1 / 0)
                with pytest.raises(ZeroDivisionError):
                    write("ana", *arguments)
        assert desk.notes_of(LOAN) == desk.audit_of(LOAN) == ()
        assert [(one.subject, one.seen) for one in desk.watched("ana", LOAN.source)] == [
            (PARTY, None)
        ]
        assert desk.searches("ana", LOAN.source) == ()
        assert len(entries(desk)) == 1

    def test_entries_are_read_by_person_by_action_and_from_a_day_on_newest_first(self, opened):
        times = iter(datetime(2026, 11, day, hour, tzinfo=UTC)
                     for day, hour in ((20, 23), (21, 0), (22, 9)))  # fmt: skip
        desk = opened(clock=lambda: next(times))
        desk.record("ana", FILE)
        desk.record("ben", FILE.model_copy(update={"action": "report"}))
        acting(desk, "ana", "reader").record("ana", Deed(action="add_key", kind="key", name="1f"))
        desk = opened()
        assert [one.at.day for one in desk.entries(EVERY).items] == [22, 21, 20]
        for asked, days in (
            ({"by": "ana"}, [22, 20]),
            ({"action": "report"}, [21]),
            ({"since": date(2026, 11, 21)}, [22, 21]),
            ({"since": date(2026, 11, 21), "by": "ana", "action": "add_key"}, [22]),
            ({"by": "eve"}, []),
        ):
            query = AuditFilter(**asked)
            page = desk.entries(query)
            assert [one.at.day for one in page.items] == days
            assert page.total == len(days)
            assert tuple(desk.every_entry(query)) == page.items
        assert desk.people() == ("ana", "ben")
        (second,) = desk.entries(AuditFilter(page=2, per_page=1)).items
        assert (second.at.day, second.detail, second.source) == (21, FILE.detail, FILE.source)
        assert desk.entries(AuditFilter(page=9)).items == ()

    def test_all_entries_are_read_whatever_is_read_at_a_time(self, desk, monkeypatch):
        monkeypatch.setattr(audit_in_sql, "_AT_A_TIME", 2)
        for at in range(5):
            desk.record("ana", FILE.model_copy(update={"name": f"{at}"}))
        assert [one.name for one in desk.every_entry(EVERY)] == ["4", "3", "2", "1", "0"]

    @pytest.mark.parametrize("word", [*WORDS, "a\x00b\ud800", "x" * 5_000])
    def test_a_sentence_is_kept_as_one_line_that_ends(self, desk, word):
        desk.record("ana", FILE.model_copy(update={"detail": word}))
        ((*_, said),) = entries(desk)
        assert said.isprintable()
        assert said == word[:LONGEST_DETAIL] or not word.isprintable() or said.endswith("...")

    def test_a_copy_holds_the_audit_and_restoring_it_adds_none(self, desk, another, tmp_path):
        desk.watch("ana", LOAN, None)
        acting(desk, "ben", "analyst").record("ben", FILE)
        dump(desk, tmp_path / "copy")
        other = another()
        restore(tmp_path / "copy", other)
        assert tuple(other.every_entry(EVERY)) == tuple(desk.every_entry(EVERY))
        other.record("ana", FILE)
        assert len(entries(other)) == 3

    def test_every_action_has_its_words_and_is_recorded(self, desk):
        for action in AUDIT_ACTIONS:
            desk.record("ana", Deed(action=action, kind=None, name="one"))
        assert [one[2] for one in entries(desk)] == list(AUDIT_ACTIONS)
