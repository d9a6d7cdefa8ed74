"""The digest: what it says word by word, and that nothing in it is markup of somebody else's."""

import sys
from html.parser import HTMLParser

import pytest

from services import cli
from services.contract.desk import Subject
from services.contract.errors import InvalidRequest, NoHistory
from services.desk.sqlite import SqliteDesk
from services.digest import contents, page, plain
from services.signals.rescoring import RulesRescorer
from services.sources import StoreWorkspace
from services.store.leases import Store
from tests.publishing import load, load_once
from tests.two_dates import AUGUST, HOSTILE, JULY, LOANS, SEPTEMBER, book, late_source
from tests.world import RATES

#: Typed by hand.
GOLDEN = """\
Changes from 31 Aug 2026 to 30 Sep 2026
=======================================

Since 31 Aug 2026: 4 worse, 2 better (1 cured), $41.0M into special servicing.
9 loans compared.
No filing at or before 31 Aug 2026: Late.

  Into special servicing                 1     $41.0M
  Payment status worse                   2     $30.0M
  Signal worse                           1     $20.0M
  New signal                             2     $20.0M
  DSCR below 1.00x                       1     $10.0M
  NOI down 20% or more                   1     $10.0M
  Occupancy down 10 points or more       1     $10.0M
  Left the file                          1      $3.0M
  Payment status better                  1     $10.0M
  Signal gone                            1     $10.0M
  Paid off                               1      $5.0M
  New in the file                        1      $4.0M

On your watchlist: 1
--------------------

Plaza late (late)
  office, Port Alder, TX, $20.0M, Deal <b>One</b>; worst signal: elevated to
  critical
  - Its payment status worsened from current to 90 or more days delinquent.
  - The signal of stress indicator worsened from elevated to critical.

What changed, worst first: 8
----------------------------

Plaza special (special)
  office, Port Alder, NY, $41.0M, Deal <b>One</b>; worst signal: severe, as
  before
  - The loan went into special servicing.
"""
#: A part further down, of which the names are hostile.
HOSTILE_LINES = """\
<script>alert(2)</script> Inn (<img src=x onerror=alert(1)>
[x](//evil.example) $5 & $6)
  office, Port Alder, TX, $10.0M, Deal <b>One</b>; worst signal: no signal to
  severe
  - Its payment status worsened from current to 60-89 days delinquent.
  - A signal of stress indicator is new: severe.
"""
ALLOWED = {"html", "head", "meta", "title", "body", "h1", "h2", "h3", "p", "table", "thead",
           "tbody", "tr", "th", "td", "ul", "li"}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("digest") / "store"
    load_once(folder, [book(AUGUST)], rates=RATES)
    load(folder, [book(SEPTEMBER), late_source()], rates=RATES)
    return folder


def test_it_says_what_changed_the_watchlist_first(source):
    said = plain.text(contents.digest(source, watched=("late", "quiet")))
    assert said.startswith(GOLDEN)
    assert HOSTILE_LINES in said
    assert said.endswith("  - The loan is new in the file.\n")
    assert all(len(line) <= 78 for line in said.splitlines())


def test_a_watchlist_without_changes_says_so_and_nobodys_is_left_out(source):
    quiet = plain.text(contents.digest(source, watched=("quiet",)))
    assert "On your watchlist: 0\n--------------------\n\nNothing changed.\n" in quiet
    assert "watchlist" not in plain.text(contents.digest(source))


class Parsed(HTMLParser):
    """Tags, attributes and words of a page."""

    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.words = [], set(), []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data):
        self.words.append(data)


def test_the_page_has_the_same_words_and_no_markup_of_theirs(source):
    found = contents.digest(source, watched=("late",))
    made = page.html(found)
    parsed = Parsed()
    parsed.feed(made)
    assert set(parsed.tags) <= ALLOWED
    assert parsed.attributes <= {"lang", "charset", "name", "content", "style", "scope"}
    assert "url(" not in made
    assert "http" not in made
    words = " ".join(" ".join(parsed.words).split())
    assert f"<script>alert(2)</script> Inn ({HOSTILE})" in words
    for section in found.sections:
        for loan in section.loans:
            assert all(event in words for event in loan.events)
    for kind, loans, dollars in found.totals:
        assert f"{kind} {loans} {dollars}" in words


def test_many_loans_are_listed_in_part_and_counted(tmp_path):
    loans = {f"N-{at:03}": LOANS["late"] for at in range(30)}
    for when in (AUGUST, SEPTEMBER):
        load(tmp_path, [book(when, loans=loans)], rates=RATES)
    with Store(tmp_path, rescorer=RulesRescorer()).lease() as source:
        (section,) = contents.digest(source).sections
    assert len(section.loans) == contents.MOST_LOANS
    assert section.heading == "What changed, worst first: 30"
    assert section.rest == "5 more changed: see the Changes page."


def test_one_date_or_one_before_the_first_is_refused(source, tmp_path):
    load(tmp_path, [book(AUGUST)], rates=RATES)
    with (
        Store(tmp_path, rescorer=RulesRescorer()).lease() as alone,
        pytest.raises(NoHistory, match="known as of 31 Aug 2026 and not before"),
    ):
        contents.digest(alone)
    with pytest.raises(InvalidRequest, match="the first period is of 2026-08-31"):
        contents.digest(source, JULY)


@pytest.fixture
def called(folder, tmp_path, monkeypatch, capsys):
    """The command, and what it prints."""
    monkeypatch.setenv("CREDIT_ATLAS_DESK", str(tmp_path / "desk.sqlite"))

    def run(*words):
        given = ["creditatlas", "digest", "--store", str(folder), *words]
        monkeypatch.setattr(sys, "argv", given)
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return ended.value.code, *capsys.readouterr()

    return run


def test_the_command_prints_text_or_writes_a_page(called, tmp_path):
    desk = SqliteDesk(tmp_path / "desk.sqlite")
    for kind, name in (("loan", "late"), ("loan", "quiet"), ("entity", "Harbour Bank")):
        desk.watch("Ana", Subject(source=StoreWorkspace.label, kind=kind, name=name), None)
    code, out, _ = called("--user", "ana", "--since", "2026-08-31")
    mine = "Your cases: 0\n-------------\n\n"
    mine += "None is new, opened again, overdue or due within 14 days.\n\n"
    assert (code, out[: len(GOLDEN + mine)]) == (0, GOLDEN.replace("On your", f"{mine}On your"))
    file = tmp_path / "digest.html"
    code, out, _ = called("--html", str(file))
    assert (code, out) == (0, "")
    assert file.read_text(encoding="utf-8").startswith("<!doctype html>\n<html lang=")
    code, out, _ = called("--html", str(file), "--text")
    assert out.startswith("Changes from 31 Aug 2026 to 30 Sep 2026\n")
    code, out, err = called("--since", "yesterday")
    assert (code, out) == (2, "")
    assert "must be a date written as YYYY-MM-DD" in err
