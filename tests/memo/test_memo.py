"""What a memo says: every figure has a source, nothing is made up, notes stay text (D248)."""

import io
import re
from datetime import UTC, date, datetime

import pytest
from pypdf import PdfReader

from components.memo import paper, table_of_sources
from components.memo.contents import memo
from components.memo.document import figures
from services.contract.desk import Note, Subject
from services.contract.loan_filter import LoanFilter
from services.importers import demo
from services.signals.rescoring import RulesRescorer
from services.sources import Filed
from services.store.leases import Store
from tests.publishing import load_once
from tests.world import RATES, Sketch, info_of

#: Digits in these words are no figures: names of loans and deals, and of kinds of events.
NAMES = re.compile(r"Loan CA-\d+|[▼▲●] .*|CA Demo.*|.*20\d\d-\d.*")
HOSTILE = (
    '#read("/etc/passwd") $x^2$ <script>alert(1)</script> \\u{0} =HYPERLINK("h") '
    "\x00\x08\x1b\u202e { } [ ] _ * @ref #link <label> &amp; ]]> {{7*7}}"
)


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    folder = tmp_path_factory.mktemp("memo")
    load_once(folder, [demo.portfolio(loans=300)])
    store = Store(folder, rescorer=RulesRescorer(), records=Filed())
    with store.lease() as source:
        yield source
    store.close()


def note(body):
    at = datetime(2026, 9, 30, 12, tzinfo=UTC)
    subject = Subject(source="Embedded store", kind="loan", name="CA-000001")
    return Note(note_id="n1", subject=subject, author="ada", written_at=at, body=body, version=2,
                changed_by="ben", changed_at=at)  # fmt: skip


def made(source, number, notes=()):
    return memo(source, source, source.loan(number), notes)


@pytest.mark.parametrize("at", range(1, 300, 23))
def test_every_figure_has_a_source_and_every_source_a_row(book, at):
    found = made(book, f"CA-{at:06d}")
    without = [
        said.text
        for said in figures(found)
        if re.search(r"\d", said.text) and not said.sources and not NAMES.fullmatch(said.text)
    ]
    # Why there is a figure missing may name one.
    assert [one for one in without if "not testable" not in one and "none:" not in one] == []
    used = {number for said in figures(found) for number in said.sources}
    of_inputs = {number for inputs in found.inputs for number in inputs if number}
    assert used | of_inputs == set(range(1, len(found.sources) + 1))
    rows = table_of_sources.rows(found)
    assert [int(row[0]) for row in rows] == list(range(1, len(found.sources) + 1))
    marks = {mark for mark, _ in table_of_sources.files(found)}
    assert {row[3].split(",")[0] for row in rows} == marks


def test_what_a_new_loan_leaves_over_is_to_spare(book):
    found = {}
    for at in range(1, 60):
        figures_of = book.figures(book.loan(f"CA-{at:06d}"))
        gap = figures_of.refinance.gap_usd.value
        if gap is not None and not figures_of.exempt:
            found[gap < 0] = (f"CA-{at:06d}", abs(gap))
    for spare, said in ((True, "${:,.0f} to spare"), (False, "${:,.0f}")):
        number, gap = found[spare]
        [section] = [one for one in made(book, number).sections if one.title == "Refinance"]
        cells = [said.text for table in section.tables for row in table.rows for said in row]
        assert cells[cells.index("Short at refinance, all debt due") + 1] == said.format(gap)


def test_a_family_of_one_loan_says_so(book):
    seen = {}
    for at in range(1, 60):
        for section in made(book, f"CA-{at:06d}").sections:
            said = section.said[0].text if section.title.startswith("Loans of") else ""
            if alone := re.fullmatch(r"It is the only loan of the family of (.+)\.", said):
                seen[alone[1]] = 1
            elif several := re.fullmatch(r"Family of (.+): (\d+) loans\.", said):
                seen[several[1]] = int(several[2])
    assert {count > 1 for count in seen.values()} == {True, False}
    for head, count in seen.items():
        assert book.loan_totals(LoanFilter(family=head)).loans == count


def test_notes_are_printed_as_written_and_only_where_chosen(book):
    assert "The analyst's notes" not in [one.title for one in made(book, "CA-000001").sections]
    found = made(book, "CA-000001", [note("Lease signed.\nSee NOI.")])
    [section] = [one for one in found.sections if one.title == "The analyst's notes"]
    assert [said.text for said in section.said] == ["Lease signed.\nSee NOI."]
    cited = found.sources[section.said[0].sources[0] - 1]
    assert (cited.label, cited.as_of) == ("Note of ada, version 2", date(2026, 9, 30))


def hostile_book():
    s = Sketch(info_of("book", date(2024, 2, 29)))
    s.loan("L1", book_value=12_000_000, value=20_000_000, property_name=HOSTILE.replace("\x00", ""))
    s.tie("L1", "borrower", "#panic() </w:t> $", 0.9)
    return s.portfolio()


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    load_once(folder, [hostile_book()], rates=RATES)
    store = Store(folder, rescorer=RulesRescorer(), records=Filed())
    with store.lease() as source:
        yield made(source, "L1", [note(HOSTILE)])
    store.close()


def test_hostile_notes_and_names_are_set_as_text(hostile):
    data = paper.of_one(hostile)
    file = paper.pdf(data)
    reader = PdfReader(io.BytesIO(file))
    words = " ".join(page.extract_text() for page in reader.pages)
    assert "root:" not in words
    assert '#read("/etc/passwd")' in words
    assert "<script>alert(1)</script>" in words
    assert "#panic() </w:t> $" in words
    assert "{{7*7}}" in words
    assert len(paper.preview(data)) == len(reader.pages)


def test_a_picture_a_page_and_links_to_sources(book):
    data = paper.of_one(made(book, "CA-000001"))
    file = paper.pdf(data)
    assert file.startswith(b"%PDF")
    assert all(one.startswith(b"\x89PNG") for one in paper.preview(data))
