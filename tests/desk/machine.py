"""Any sequence of writes by several users over two connections, against a model in plain Python.

What the model holds is what was acknowledged: after each step it is in the note that stands or in
its audit (D78), and nothing else is. Each write that changed something has left exactly one entry
in the audit of all writes, and one that was refused has left none (D91).
"""

from datetime import date

from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from services.contract.audit import AuditFilter
from services.contract.cases import CaseForm, CaseRule, LoanSeen, Step
from services.contract.desk import Search, SearchFound, Seen, Subject
from services.contract.errors import (
    CaseConflict,
    InvalidRequest,
    NoteConflict,
    NotFound,
    SearchConflict,
)
from tests.desk.acting import acting

SOURCES = ("store", "API")
SUBJECTS = [
    Subject(source=source, kind=kind, name=name)
    for source in SOURCES
    for kind in ("loan", "entity")
    for name in ("1", "it's")
]
USERS = ("ana", "ben", "Zoë")
#: The roles in which the two connections act.
ROLES = ("analyst", "admin")
BY = st.integers(0, 1)
USER = st.sampled_from(USERS)
SUBJECT = st.sampled_from(SUBJECTS)
#: A user and what they may or may not watch.
ANYTHING = st.tuples(USER, SUBJECT)
VERSION = st.integers(1, 3)
#: Text without white space around it, as notes are kept.
BODY = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20).map(
    lambda text: f"[{text}]"
)
SEEN = st.builds(
    Seen,
    snapshot_id=st.sampled_from("abc"),
    as_of=st.dates(date(2020, 1, 1), date(2030, 1, 1)),
    facts=st.dictionaries(st.sampled_from("xy"), st.none() | st.integers(0, 9), max_size=2),
)
NAME = st.sampled_from(["Hotels", "inns", "%s ?"])
SEARCH = st.builds(
    Search,
    source=st.sampled_from(SOURCES),
    page=st.sampled_from(["loans", "signals", "watchlist"]),
    params=st.dictionaries(st.sampled_from("xy"), st.text(max_size=3), max_size=2),
)
FOUND = st.builds(
    SearchFound,
    records=st.integers(0, 99),
    book_value=st.none() | st.integers(0, 10**12),
    snapshot_id=st.sampled_from("abc"),
    as_of=st.just(date(2026, 9, 30)),
)
FORM = st.builds(
    CaseForm,
    state=st.sampled_from(["open", "watching", "resolved"]),
    assignee=st.none() | st.sampled_from(USERS),
    due=st.none() | st.dates(date(2026, 1, 1), date(2027, 1, 1)),
    reason=BODY,
    steps=st.lists(st.builds(Step, text=BODY, done=st.booleans()), max_size=2).map(tuple),
    closing=BODY,
).map(lambda form: form if form.state == "resolved" else form.model_copy(update={"closing": None}))
LOAN_SEEN = st.builds(
    LoanSeen,
    worst=st.none() | st.sampled_from(["low", "severe", "critical"]),
    as_of=st.dates(date(2026, 1, 1), date(2026, 1, 4)),
)
LOANS = st.tuples(st.sampled_from(SOURCES), st.sampled_from(["1", "it's"]))
RULE = CaseRule(severity="severe", close_after=2)


class DeskMachine(RuleBasedStateMachine):
    """Two connections to one empty desk, and what it ought to hold. `opened` makes both."""

    watching = Bundle("watching")
    notes = Bundle("notes")
    searches = Bundle("searches")

    def __init__(self):
        super().__init__()
        self.desks = self.opened()
        self.watches: dict[tuple[str, Subject], Seen | None] = {}
        #: By id: subject, version, text.
        self.texts: dict[str, tuple[Subject, int, str]] = {}
        self.events: list[tuple[Subject, str, str, str, int, str]] = []
        #: By id.
        self.saved: dict[str, object] = {}
        #: By source and loan number.
        self.cases: dict[tuple[str, str], object] = {}
        #: By whom, in which role, what, to what.
        self.entries: list[tuple[str, str, str, str]] = []

    def entered(self, by, owner, action, name):
        self.entries.append((owner, ROLES[by], action, name))

    def acting(self, by, owner):
        return acting(self.desks[by], owner, ROLES[by])

    def opened(self):
        raise NotImplementedError

    @rule(target=watching, by=BY, owner=USER, subject=SUBJECT, seen=st.none() | SEEN)
    def watch(self, by, owner, subject, seen):
        self.acting(by, owner).watch(owner, subject, seen)
        if (owner, subject) not in self.watches:
            self.watches[owner, subject] = seen
            self.entered(by, owner, "watch", subject.name)
        return owner, subject

    @rule(by=BY, one=watching | ANYTHING)
    def unwatch(self, by, one):
        owner, subject = one
        self.acting(by, owner).unwatch(owner, subject)
        if (owner, subject) in self.watches:
            del self.watches[owner, subject]
            self.entered(by, owner, "unwatch", subject.name)

    @rule(by=BY, one=watching | ANYTHING, now=SEEN,
          more=st.dictionaries(SUBJECT, SEEN, max_size=3))  # fmt: skip
    def see(self, by, one, now, more):
        owner, subject = one
        seen = {**more, subject: now}
        self.acting(by, owner).see(owner, seen)
        marked = [subject for subject in seen if (owner, subject) in self.watches]
        for subject in marked:
            self.watches[owner, subject] = seen[subject]
        if marked:
            name = marked[0].name if len(marked) == 1 else f"{len(marked)} loans and parties"
            self.entered(by, owner, "see", name)

    @rule(target=notes, by=BY, owner=USER, subject=SUBJECT, body=BODY)
    def add(self, by, owner, subject, body):
        note = self.acting(by, owner).add_note(owner, subject, body)
        self.texts[note.note_id] = subject, 1, body
        self.events.append((subject, note.note_id, "add", owner, 1, body))
        self.entered(by, owner, "add_note", subject.name)
        return note.note_id

    @rule(by=BY, owner=USER, note=notes, version=VERSION, body=BODY)
    def edit(self, by, owner, note, version, body):
        edit = self.acting(by, owner).edit_note
        subject, standing, text = self.texts.get(note, (None, 0, ""))
        if subject is None:
            refused(NotFound, edit, owner, note, version, body)
        elif version != standing:
            error = refused(NoteConflict, edit, owner, note, version, body)
            assert (error.body, error.version) == (text, standing)
        else:
            assert edit(owner, note, version, body).version == version + 1
            self.texts[note] = subject, version + 1, body
            self.events.append((subject, note, "edit", owner, version + 1, body))
            self.entered(by, owner, "edit_note", subject.name)

    @rule(note=notes, first=BODY, second=BODY)
    def two_edit_one_note(self, note, first, second):
        """Both begin at the version that stands: the second is shown the first's text."""
        if note not in self.texts:
            return
        subject, standing, _ = self.texts[note]
        self.edit(0, "ana", note, standing, first)
        error = refused(
            NoteConflict, self.acting(1, "ben").edit_note, "ben", note, standing, second
        )
        assert (error.body, error.version) == (first, standing + 1)
        self.edit(1, "ben", note, error.version, second)
        kept = [event.body for event in self.desks[0].audit_of(subject) if event.note_id == note]
        assert kept[-2:] == [first, second]

    @rule(by=BY, owner=USER, note=notes, version=VERSION)
    def delete(self, by, owner, note, version):
        delete = self.acting(by, owner).delete_note
        subject, standing, text = self.texts.get(note, (None, 0, ""))
        if subject is None:
            refused(NotFound, delete, owner, note, version)
        elif version != standing:
            refused(NoteConflict, delete, owner, note, version)
        else:
            delete(owner, note, version)
            del self.texts[note]
            self.events.append((subject, note, "delete", owner, version, text))
            self.entered(by, owner, "delete_note", subject.name)

    def taken(self, owner, source, name):
        return any(
            (one.owner, one.search.source, one.name) == (owner, source, name)
            for one in self.saved.values()
        )

    @rule(target=searches, by=BY, owner=USER, name=NAME, search=SEARCH, found=FOUND,
          shared=st.booleans())  # fmt: skip
    def save(self, by, owner, name, search, found, shared):
        save = self.acting(by, owner).save_search
        if self.taken(owner, search.source, name):
            refused(InvalidRequest, save, owner, name, search, found)
            return "none"
        saved = save(owner, name, search, found, shared=shared)
        assert (saved.search, saved.found, saved.version) == (search, found, 1)
        self.saved[saved.search_id] = saved
        self.entered(by, owner, "share_search" if shared else "save_search", name)
        return saved.search_id

    @rule(by=BY, owner=USER, search=searches, version=VERSION,
          change=st.fixed_dictionaries({}, optional={"name": NAME, "found": FOUND,
                                                     "shared": st.booleans()}))  # fmt: skip
    def change(self, by, owner, search, version, change):
        write = self.acting(by, owner).change_search
        now = self.saved.get(search)
        if now is None or now.owner != owner:
            refused(NotFound, write, owner, search, version, **change)
        elif now.version != version:
            refused(SearchConflict, write, owner, search, version, **change)
        elif change.get("name", now.name) != now.name and self.taken(
            owner, now.search.source, change["name"]
        ):
            refused(InvalidRequest, write, owner, search, version, **change)
        else:
            expected = now.model_copy(update={**change, "version": version + 1})
            assert write(owner, search, version, **change) == expected
            self.saved[search] = expected
            shares = expected.shared and not now.shared
            self.entered(by, owner, "share_search" if shares else "change_search", expected.name)

    @rule(by=BY, owner=USER, search=searches, version=VERSION)
    def forget(self, by, owner, search, version):
        write = self.acting(by, owner).delete_search
        now = self.saved.get(search)
        if now is None or now.owner != owner:
            refused(NotFound, write, owner, search, version)
        elif now.version != version:
            refused(SearchConflict, write, owner, search, version)
        else:
            write(owner, search, version)
            del self.saved[search]
            self.entered(by, owner, "delete_search", now.name)

    @rule(by=BY, owner=USER, loan=LOANS, form=FORM, seen=LOAN_SEEN)
    def open_case(self, by, owner, loan, form, seen):
        write = self.acting(by, owner).open_case
        if loan in self.cases:
            refused(CaseConflict, write, owner, *loan, form, seen)
            return
        case = write(owner, *loan, form, seen)
        assert (case.form, case.seen, case.version, case.opened_by) == (form, seen, 1, owner)
        self.cases[loan] = case
        self.entered(by, owner, "open_case", loan[1])

    @rule(by=BY, owner=USER, loan=LOANS, form=FORM, version=VERSION)
    def change_case(self, by, owner, loan, form, version):
        write, now = self.acting(by, owner).change_case, self.cases.get(loan)
        if now is None:
            refused(NotFound, write, owner, "none", version, form)
        elif now.version != version:
            refused(CaseConflict, write, owner, now.case_id, version, form)
        else:
            case = write(owner, now.case_id, version, form)
            assert (case.form, case.version, case.seen) == (form, version + 1, now.seen)
            self.cases[loan] = case
            was, to = now.form.state == "resolved", form.state == "resolved"
            action = {(False, True): "close_case", (True, False): "reopen_case"}.get((was, to))
            self.entered(by, owner, action or "change_case", loan[1])

    @rule(loan=LOANS, first=FORM, second=FORM)
    def two_at_one_case(self, loan, first, second):
        """Both begin at the version that stands: the second is refused, and nothing is lost."""
        if loan not in self.cases:
            return
        now = self.cases[loan]
        self.change_case(0, "ana", loan, first, now.version)
        write = self.acting(1, "ben").change_case
        refused(CaseConflict, write, "ben", now.case_id, now.version, second)
        self.change_case(1, "ben", loan, second, now.version + 1)

    @rule(by=BY, owner=USER, source=st.sampled_from(SOURCES),
          now=st.dictionaries(st.sampled_from(["1", "it's"]), LOAN_SEEN, max_size=2))  # fmt: skip
    def follow(self, by, owner, source, now):
        """What a rule opens and closes; what it makes of one loan is tested by itself."""
        before = {one.loan_number: one for one in self.desks[0].cases(source)}
        self.acting(by, owner).follow_cases(owner, source, now, RULE)
        after = {one.loan_number: one for one in self.desks[1].cases(source)}
        assert before.keys() <= after.keys() <= before.keys() | now.keys()
        done = []
        for number in sorted(after):
            was, case = before.get(number), after[number]
            if case == was:
                continue
            self.cases[source, number] = case
            if was is None:
                done.append(("open_case", number))
            elif was.form.state != case.form.state:
                closes = case.form.state == "resolved"
                done.append(("close_case" if closes else "reopen_case", number))
            else:
                assert (case.form, case.version) == (was.form, was.version)
        looked = [one for one in after if after[one] != before.get(one)]
        for action, number in done:
            self.entered(by, owner, action, number)
        if looked and not done:
            self.entered(by, owner, "look_at_cases", f"{len(looked)} loans")

    @invariant()
    def both_connections_hold_every_case(self):
        for desk in self.desks:
            for source in SOURCES:
                held = {one.loan_number: one for one in desk.cases(source)}
                assert held == {at[1]: one for at, one in self.cases.items() if at[0] == source}

    @invariant()
    def both_connections_hold_the_notes_and_their_audit(self):
        for desk in self.desks:
            for subject in SUBJECTS:
                found = [(one.note_id, one.version, one.body) for one in desk.notes_of(subject)]
                assert found == [
                    (note, version, body)
                    for note, (of, version, body) in self.texts.items()
                    if of == subject
                ]
                events = [(subject, one.note_id, one.action, one.by, one.version, one.body)
                          for one in desk.audit_of(subject)]  # fmt: skip
                assert events == [one for one in self.events if one[0] == subject]

    @invariant()
    def all_is_as_it_was_written(self):
        """D112."""
        rows = self.desks[0].verify()
        assert rows.get("audit", 0) == len(self.entries)

    @invariant()
    def every_write_has_left_one_entry(self):
        for desk in self.desks:
            found = [(one.by, one.role, one.action, one.name)
                     for one in desk.every_entry(AuditFilter())]  # fmt: skip
            assert found == self.entries[::-1]

    @invariant()
    def both_connections_hold_what_each_user_watches_saved_and_is_shown(self):
        for desk in self.desks:
            for owner in USERS:
                watched = {
                    (owner, one.subject): one.seen
                    for source in SOURCES
                    for one in desk.watched(owner, source)
                }
                assert watched == {at: seen for at, seen in self.watches.items() if at[0] == owner}
                for source in SOURCES:
                    assert list(desk.searches(owner, source)) == self.visible(owner, source)

    def visible(self, owner, source):
        seen = [one for one in self.saved.values()
                if one.search.source == source and (one.owner == owner or one.shared)]  # fmt: skip
        return sorted(seen, key=lambda one: (one.owner != owner, one.owner, one.name))


def refused(kind, write, *arguments, **options):
    try:
        write(*arguments, **options)
    except kind as error:
        return error
    raise AssertionError(f"{write.__name__} was not refused")
