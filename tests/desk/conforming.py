"""What every desk does: watches, notes, two who edit one note, saved searches, copies (D77 to D89).

A desk under test gives the fixtures `opened` (opens one more desk over the same rows, with its own
clock where one is given) and `another` (opens one over no rows).
"""

import json
from datetime import UTC, date, datetime

import pytest

from services.contract.audit import AuditFilter
from services.contract.desk import (
    LONGEST_NAME,
    MOST_LETTERS,
    THE_CHANGES,
    Search,
    SearchFound,
    Seen,
    Subject,
    set_of,
)
from services.contract.errors import (
    ImportRefused,
    InvalidRequest,
    NoteConflict,
    NotFound,
    SearchConflict,
)
from services.contract.resolution import Pair
from services.desk.copying import dump, restore
from tests.hostile import WORDS

LOAN = Subject(source="Embedded store", kind="loan", name="CA-000001")
BOOK = Subject(source="Embedded store", kind="book", name=THE_CHANGES)
PARTY = Subject(source="Embedded store", kind="entity", name="CA-000001")
SEEN = Seen(snapshot_id="one", as_of=date(2026, 9, 30), facts={"dscr": 1.25, "sponsor": None},
            signals={"rate_pressure": "severe"})  # fmt: skip
HOTELS = Search(source=LOAN.source, page="loans", params={"property_type": "hotel", "state": "TX"})
FOUND = SearchFound(records=12, book_value=340_000_000, snapshot_id="one", as_of=SEEN.as_of)
LATER = FOUND.model_copy(update={"records": 14, "book_value": None, "snapshot_id": "two"})
LIST = Search(source=LOAN.source, page="watchlist", params={})


def bodies(desk, subject=LOAN):
    return [note.body for note in desk.notes_of(subject)]


class ConformingDesk:
    """To be inherited beside the two fixtures."""

    @pytest.fixture
    def desk(self, opened):
        return opened()

    def test_what_is_watched_is_there_for_its_owner_under_its_source_alone(self, desk, opened):
        desk.watch("ana", LOAN, SEEN)
        desk.watch("ana", PARTY, None)
        desk.watch("ana", LOAN, None)  # again: stays as it was
        found = opened().watched("ana", LOAN.source)
        assert [(one.subject, one.seen) for one in found] == [(PARTY, None), (LOAN, SEEN)]
        assert desk.watched("ben", LOAN.source) == desk.watched("ana", "API") == ()
        desk.unwatch("ana", LOAN)
        assert [one.subject for one in desk.watched("ana", LOAN.source)] == [PARTY]

    def test_what_was_seen_of_a_book_is_on_no_watchlist(self, desk, opened):
        """D174."""
        later = SEEN.model_copy(update={"as_of": date(2026, 10, 31)})
        desk.watch("ana", LOAN, None)
        desk.watch("ana", BOOK, SEEN)
        assert opened().on_subject("ana", BOOK).watch.seen == SEEN
        desk.see("ana", {BOOK: later})
        assert desk.on_subject("Ana", BOOK).watch.seen == later
        assert desk.on_subject("ben", BOOK).watch is None
        assert [one.subject for one in desk.watched("ana", LOAN.source)] == [LOAN]
        desk.save_search("ana", "Mine", LIST, FOUND, shared=True)
        (shared,) = desk.searches("ben", LOAN.source)
        assert [one.subject for one in desk.shared_watches(shared.search_id)] == [LOAN]

    def test_what_was_last_seen_is_set_for_what_is_watched_only(self, desk):
        later = SEEN.model_copy(update={"snapshot_id": "two"})
        desk.watch("ana", LOAN, SEEN)
        desk.see("ana", {LOAN: later, PARTY: later})
        assert [(one.subject, one.seen) for one in desk.watched("ana", LOAN.source)] == [
            (LOAN, later)
        ]

    def test_a_note_is_written_edited_and_deleted_and_its_texts_stay_in_the_audit(self, opened):
        """D78."""
        times = iter(datetime(2026, 11, 22, hour, tzinfo=UTC) for hour in (9, 10, 11))
        desk = opened(clock=lambda: next(times))
        note = desk.add_note("ana", LOAN, "  Sponsor called.\nWants a year. ")
        assert (note.body, note.version, note.author) == (
            "Sponsor called.\nWants a year.",
            1,
            "ana",
        )
        edited = desk.edit_note("ben", note.note_id, 1, "Sponsor called twice.")
        assert desk.notes_of(LOAN) == (edited,)
        assert (edited.author, edited.changed_by, edited.version) == ("ana", "ben", 2)
        assert (edited.written_at.hour, edited.changed_at.hour) == (9, 10)
        desk.delete_note("ana", note.note_id, 2)
        assert desk.notes_of(LOAN) == ()
        assert [(one.action, one.by, one.version, one.at.hour, one.body)
                for one in desk.audit_of(LOAN)] == [
            ("add", "ana", 1, 9, "Sponsor called.\nWants a year."),
            ("edit", "ben", 2, 10, "Sponsor called twice."),
            ("delete", "ana", 2, 11, "Sponsor called twice."),
        ]  # fmt: skip

    def test_two_who_edit_one_note_lose_neither_text(self, opened):
        """D78: the second is told the text that stands, and what it wrote is still its own."""
        one, two = opened(), opened()
        note = one.add_note("ana", LOAN, "first")
        one.edit_note("ana", note.note_id, 1, "by ana")
        with pytest.raises(NoteConflict, match="ana has changed") as caught:
            two.edit_note("ben", note.note_id, 1, "by ben")
        assert (caught.value.body, caught.value.version) == ("by ana", 2)
        with pytest.raises(NoteConflict):
            two.delete_note("ben", note.note_id, 1)
        assert bodies(two) == ["by ana"]
        two.edit_note("ben", note.note_id, caught.value.version, "by ana and ben")
        assert bodies(one) == ["by ana and ben"]
        one.delete_note("ana", note.note_id, 3)
        with pytest.raises(NotFound, match="deleted meanwhile"):
            two.edit_note("ben", note.note_id, 3, "too late")
        assert [event.body for event in one.audit_of(LOAN)][:3] == [
            "first",
            "by ana",
            "by ana and ben",
        ]

    @pytest.mark.parametrize(
        ("body", "said"),
        [("", "needs a text"), (" \n\t", "needs a text"), ("x" * (MOST_LETTERS + 1), "10,001"),
         ("a\x00b", "readable"), ("a\ud800", "readable")],
    )  # fmt: skip
    def test_what_is_no_note_is_refused(self, desk, body, said):
        with pytest.raises(InvalidRequest, match=said):
            desk.add_note("ana", LOAN, body)
        note = desk.add_note("ana", LOAN, "x" * MOST_LETTERS)
        with pytest.raises(InvalidRequest, match=said):
            desk.edit_note("ana", note.note_id, 1, body)
        assert bodies(desk) == ["x" * MOST_LETTERS]

    @pytest.mark.parametrize("word", [*WORDS, "'; DROP TABLE notes; --", '" OR 1=1 --'])
    def test_hostile_names_and_texts_come_back_as_written(self, desk, word):
        subject = Subject(source=word, kind="entity", name=word)
        desk.watch(word, subject, SEEN.model_copy(update={"facts": {word: word}}))
        note = desk.add_note(word, subject, word)
        assert desk.edit_note(word, note.note_id, 1, f"{word}.").subject == subject
        (watch,) = desk.watched(word, word)
        assert (watch.subject, watch.seen.facts) == (subject, {word: word})
        assert bodies(desk, subject) == [
            f"{word.strip()}." if word != word.lstrip() else f"{word}."
        ]

    def test_a_watchlist_has_an_end(self, desk, monkeypatch):
        monkeypatch.setattr("services.contract.desk.MOST_WATCHED", 3)
        for name in ("0", "1", "1", "2"):
            desk.watch("ana", LOAN.model_copy(update={"name": name}), None)
        with pytest.raises(InvalidRequest, match="3 loans and parties"):
            desk.watch("ana", LOAN, None)
        assert len(desk.watched("ana", LOAN.source)) == 3

    @pytest.mark.parametrize("letter", ["x", "\N{PILE OF POO}"])
    def test_the_longest_names_are_watched_and_noted_once(self, desk, letter):
        long = Subject(source=letter * 300, kind="entity", name=letter * 1000)
        other = long.model_copy(update={"name": f"{letter * 999}y"})
        for subject in (long, long, other):
            desk.watch("ana", subject, None)
        assert {one.subject for one in desk.watched("ana", long.source)} == {long, other}
        desk.add_note("ana", long, "first")
        assert (bodies(desk, long), bodies(desk, other)) == (["first"], [])

    def test_lists_are_in_one_order_whatever_the_language_of_the_machine(self, desk):
        names = ["Z", "a", "_", "É", "1", "b c", "B"]
        for name in names:
            desk.watch("ana", LOAN.model_copy(update={"name": name}), None)
            desk.save_search("ana", name, HOTELS, FOUND)
        watched = [one.subject.name for one in desk.watched("ana", LOAN.source)]
        assert watched == [one.name for one in desk.searches("ana", LOAN.source)] == sorted(names)

    def test_a_search_is_saved_changed_and_deleted(self, opened):
        saved_at = datetime(2026, 11, 22, 9, tzinfo=UTC)
        desk = opened(clock=lambda: saved_at)
        saved = desk.save_search("ana", "  Hotels\nin Texas ", HOTELS, FOUND)
        assert opened().searches("ana", LOAN.source) == (saved,)
        assert (saved.name, saved.search, saved.found) == ("Hotels in Texas", HOTELS, FOUND)
        assert (saved.owner, saved.saved_at, saved.version) == ("ana", saved_at, 1)
        assert not saved.shared
        changed = desk.change_search("ana", saved.search_id, 1, found=LATER)
        assert changed == saved.model_copy(update={"found": LATER, "version": 2})
        renamed = desk.change_search("ana", saved.search_id, 2, name="Inns", shared=True)
        assert (renamed.name, renamed.shared, renamed.version) == ("Inns", True, 3)
        assert desk.searches("ana", LOAN.source) == (renamed,)
        desk.delete_search("ana", saved.search_id, 3)
        assert desk.searches("ana", LOAN.source) == ()

    def test_a_search_is_seen_by_others_once_it_is_shared_and_changed_by_its_owner_alone(
        self, desk
    ):
        """D88."""
        mine = desk.save_search("zoe", "mine", HOTELS, FOUND)
        desk.save_search("ana", "hidden", HOTELS, FOUND)
        shown = desk.save_search("ana", "shown", HOTELS, FOUND, shared=True)
        assert desk.searches("zoe", LOAN.source) == (mine, shown)
        assert desk.searches("ben", LOAN.source) == (shown,)
        assert desk.searches("ben", "API") == ()
        for write in (desk.change_search, desk.delete_search):
            with pytest.raises(NotFound, match="another user's"):
                write("zoe", shown.search_id, shown.version)
        desk.change_search("ana", shown.search_id, 1, shared=False)
        assert desk.searches("zoe", LOAN.source) == (mine,)

    def test_two_windows_do_not_change_one_search_unseen(self, opened):
        one, two = opened(), opened()
        saved = one.save_search("ana", "Hotels", HOTELS, FOUND)
        one.change_search("ana", saved.search_id, 1, name="Inns")
        for write in (two.change_search, two.delete_search):
            with pytest.raises(SearchConflict, match="another window"):
                write("ana", saved.search_id, 1)
        assert [search.name for search in two.searches("ana", LOAN.source)] == ["Inns"]
        one.delete_search("ana", saved.search_id, 2)
        with pytest.raises(NotFound, match="deleted meanwhile"):
            two.change_search("ana", saved.search_id, 2, name="too late")

    def test_a_name_is_given_once_by_one_user(self, desk):
        desk.save_search("ana", "Hotels", HOTELS, FOUND)
        desk.save_search("ben", "Hotels", HOTELS, FOUND)
        desk.save_search("ana", "Hotels", HOTELS.model_copy(update={"source": "API"}), FOUND)
        with pytest.raises(InvalidRequest, match="'Hotels' already"):
            desk.save_search("ana", "Hotels ", HOTELS, FOUND)
        inns = desk.save_search("ana", "Inns", HOTELS, FOUND)
        with pytest.raises(InvalidRequest, match="'Hotels' already"):
            desk.change_search("ana", inns.search_id, 1, name="Hotels")
        assert desk.change_search("ana", inns.search_id, 1, name="Inns").version == 2

    @pytest.mark.parametrize("name", ["", " \n", "x" * (LONGEST_NAME + 1), "a\x00b", "a\u200bb"])
    def test_what_is_no_name_is_refused(self, desk, name):
        with pytest.raises(InvalidRequest, match="name"):
            desk.save_search("ana", name, HOTELS, FOUND)
        assert desk.searches("ana", LOAN.source) == ()

    def test_what_is_too_much_is_refused(self, desk, monkeypatch):
        long = HOTELS.model_copy(update={"params": {"numbers": "x" * 6_000}})
        with pytest.raises(InvalidRequest, match="6,007 characters"):
            desk.save_search("ana", "long", long, FOUND)
        monkeypatch.setattr("services.contract.desk.MOST_SEARCHES", 2)
        desk.save_search("ana", "1", HOTELS, FOUND)
        desk.save_search("ana", "2", HOTELS, FOUND)
        with pytest.raises(InvalidRequest, match="2 searches are saved already"):
            desk.save_search("ana", "3", HOTELS, FOUND)

    @pytest.mark.parametrize("word", WORDS)
    def test_hostile_searches_come_back_as_written(self, desk, word):
        search = Search(source=word, page="signals", params={"lender": word, "city": "%s ? \x00"})
        saved = desk.save_search(word, word, search, FOUND)
        assert desk.searches(word, word) == (saved,)
        assert saved.search == search

    def test_a_set_of_loans_is_listed_without_its_numbers_and_read_by_its_id(self, desk, opened):
        """D231."""
        numbers = tuple(f"CA-{at:06d}" for at in range(20_001))
        saved = desk.save_search("ana", "Lasso", set_of(LOAN.source, reversed(numbers)), FOUND)
        search = desk.save_search("ana", "Hotels", HOTELS, FOUND)
        listed = opened().searches("ana", LOAN.source)
        assert [one.name for one in listed] == ["Hotels", "Lasso"]
        assert listed[0] == search
        assert listed[1] == saved.model_copy(
            update={"search": Search(source=LOAN.source, page="set", params={})}
        )
        assert desk.saved_set("Ana", LOAN.source, saved.search_id) == listed[1]
        assert desk.set_numbers("ana", LOAN.source, saved.search_id) == numbers
        renamed = desk.change_search("ana", saved.search_id, 1, name="Drawn")
        assert desk.set_numbers("ana", LOAN.source, renamed.search_id) == numbers
        assert desk.verify()["saved_searches"] == 2

    def test_a_set_is_read_by_others_as_long_as_it_is_shared(self, desk):
        """D231: that it is another's, gone, of another source or no set is one sentence."""
        saved = desk.save_search("ana", "Mine", set_of(LOAN.source, ["A-1"]), FOUND)
        search = desk.save_search("ana", "Hotels", HOTELS, FOUND, shared=True)
        asked = [
            ("ben", LOAN.source, saved.search_id),
            ("ana", "API", saved.search_id),
            ("ana", LOAN.source, "0123456789abcdef"),
            ("ana", LOAN.source, search.search_id),
        ]
        for one in asked:
            for read in (desk.saved_set, desk.set_numbers):
                with pytest.raises(NotFound, match="another user's and not shared"):
                    read(*one)
        shown = desk.change_search("ana", saved.search_id, 1, shared=True)
        assert desk.set_numbers("ben", LOAN.source, shown.search_id) == ("A-1",)
        desk.change_search("ana", shown.search_id, 2, shared=False)
        with pytest.raises(NotFound):
            desk.set_numbers("ben", LOAN.source, shown.search_id)

    def test_what_is_no_set_is_refused(self, desk, monkeypatch):
        for numbers in ([], [""], ["a\x00b"], ["\ud800"], ["x" * 201]):
            search = Search(source=LOAN.source, page="set", params={"numbers": json.dumps(numbers)})
            with pytest.raises(InvalidRequest):
                desk.save_search("ana", "no set", search, FOUND)
        monkeypatch.setattr("services.contract.desk.MOST_IN_SET", 2)
        with pytest.raises(InvalidRequest, match="at most 2 loans, and these are 3"):
            set_of(LOAN.source, ["1", "2", "3"])
        assert desk.searches("ana", LOAN.source) == ()

    @pytest.mark.parametrize("word", WORDS)
    def test_hostile_sets_come_back_as_written(self, desk, word):
        saved = desk.save_search(word, word, set_of(word, [word, "%s ? ' \"\n,"]), FOUND)
        assert desk.saved_set(word, word, saved.search_id).name == saved.name
        found = desk.set_numbers(word, word, saved.search_id)
        assert set(found) == {word, "%s ? ' \"\n,"}

    def test_the_audit_says_how_many_loans_a_set_has_and_not_which(self, desk):
        desk.save_search("ana", "Lasso", set_of(LOAN.source, ["A-1", "A-2"]), FOUND, shared=True)
        entry = desk.entries(AuditFilter()).items[0]
        assert (entry.action, entry.name) == ("share_search", "Lasso")
        assert entry.detail == "a set of 2 loans"

    def test_a_shared_list_is_read_by_all_as_long_as_it_is_shared(self, desk):
        """D89."""
        desk.watch("ana", LOAN, SEEN)
        desk.watch("ana", PARTY.model_copy(update={"source": "API"}), SEEN)
        hidden = desk.save_search("ana", "Mine", LIST, FOUND)
        with pytest.raises(NotFound, match="not shared"):
            desk.shared_watches(hidden.search_id)
        shown = desk.change_search("ana", hidden.search_id, 1, shared=True)
        assert [one.subject for one in desk.shared_watches(shown.search_id)] == [LOAN]
        desk.watch("ana", PARTY, None)
        assert desk.shared_watches(shown.search_id) == desk.watched("ana", LOAN.source)
        search = desk.save_search("ana", "Hotels", HOTELS, FOUND, shared=True)
        for search_id in (search.search_id, "none"):
            with pytest.raises(NotFound, match="not shared"):
                desk.shared_watches(search_id)

    def test_a_copy_of_a_desk_fills_an_empty_one_with_the_same(self, desk, another, tmp_path):
        """D90."""
        desk.watch("ana", LOAN, SEEN)
        desk.watch("ben", PARTY, None)
        first = desk.add_note("ana", LOAN, "first")
        desk.edit_note("ben", first.note_id, 1, "\N{PILE OF POO} second\n'")
        gone = desk.add_note("ana", LOAN, "gone")
        desk.delete_note("ana", gone.note_id, 1)
        for at in range(12):
            desk.add_note("ana", LOAN, f"{at}")
        desk.save_search("ana", "Hotels", HOTELS, LATER, shared=True)
        assert dump(desk, tmp_path / "copy") == 51
        other = another()
        assert restore(tmp_path / "copy", other) == 51
        assert other.notes_of(LOAN) == desk.notes_of(LOAN)
        assert other.audit_of(LOAN) == desk.audit_of(LOAN)
        for owner in ("ana", "ben"):
            assert other.watched(owner, LOAN.source) == desk.watched(owner, LOAN.source)
            assert other.searches(owner, LOAN.source) == desk.searches(owner, LOAN.source)
        other.edit_note("ana", first.note_id, 2, "goes on")
        assert other.audit_of(LOAN)[-1].body == "goes on"
        dump(desk, tmp_path / "again")
        assert (tmp_path / "again").read_bytes() == (tmp_path / "copy").read_bytes()
        assert (tmp_path / "copy").stat().st_mode & 0o777 == 0o600
        with pytest.raises(ImportRefused, match="holds something already"):
            restore(tmp_path / "copy", other)
        assert other.notes_of(LOAN)[0].body == "goes on"

    def test_a_file_that_is_no_whole_copy_changes_nothing(self, desk, another, tmp_path):
        desk.add_note("ana", LOAN, "first")
        dump(desk, tmp_path / "copy")
        lines = (tmp_path / "copy").read_text().splitlines(keepends=True)
        other = another()
        for name, text in {
            "cut": "".join(lines[:-1]),
            "a row is missing": "".join([lines[0], *lines[2:]]),
            "no JSON": "".join([lines[0], "{", *lines[1:]]),
            "another table": "".join([lines[0], lines[1].replace("notes", "pg_roles"), *lines[2:]]),
            "another column": "".join([lines[0], lines[1].replace("body", "bodies"), *lines[2:]]),
            "another format": json.dumps({"desk": 2}),
            "nothing": "",
        }.items():
            (tmp_path / name).write_text(text)
            with pytest.raises(ImportRefused, match=f"'.*{name}'"):
                restore(tmp_path / name, other)
        assert other.notes_of(LOAN) == other.audit_of(LOAN) == ()

    def test_one_word_stands_of_a_pair_until_it_is_taken_back(self, desk, opened):
        """D229."""
        pair, other = Pair.of("party", "Elm LLC", "Elm, LLC"), Pair.of("party", "Ash", "Ash " * 200)
        desk.decide("ana", pair, "accepted")
        desk.decide("ben", pair, "rejected")
        desk.decide("ana", other, "accepted")
        assert [(one.pair, one.verdict, one.by) for one in opened().decided()] == [
            (other, "accepted", "ana"), (pair, "rejected", "ben")
        ]  # fmt: skip
        desk.decide("ben", pair, None)
        desk.decide("ben", pair, None)  # nothing stands: nothing is written
        assert [one.pair for one in desk.decided()] == [other]
        said = [(e.by, e.action, e.name) for e in desk.entries(AuditFilter()).items]
        assert said == [
            ("ben", "undo_match", "Elm LLC"), ("ana", "accept_match", "Ash"),
            ("ben", "reject_match", "Elm LLC"), ("ana", "accept_match", "Elm LLC"),
        ]  # fmt: skip

    def test_what_was_said_of_pairs_is_in_the_copy(self, desk, another, tmp_path):
        desk.decide("ana", Pair.of("loan", "b", "a"), "rejected")
        dump(desk, tmp_path / "copy.jsonl")
        copied = another()
        restore(tmp_path / "copy.jsonl", copied)
        assert copied.decided() == desk.decided() != ()
        assert copied.verify()["verdicts"] == 1
