"""A pack (D250): memos of a list behind a table of them; bounded, it says what it leaves out."""

import io

import docx
import pytest
from pypdf import PdfReader

from components.memo import pack
from services.contract.loan_filter import LoanFilter
from services.importers import demo
from services.signals.rescoring import RulesRescorer
from services.sources import Filed
from services.store.leases import Store
from tests.publishing import load_once

WORST = LoanFilter(order="-worst_severity")


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pack")
    load_once(folder, [demo.portfolio(loans=200)])
    store = Store(folder, rescorer=RulesRescorer(), records=Filed())
    with store.lease() as source:
        yield source
    store.close()


@pytest.fixture
def found(book, monkeypatch):
    monkeypatch.setattr(pack, "MOST", 4)
    heard = []
    made = pack.made(book, book, WORST, "All loans", heard.append)
    assert heard == [0.25, 0.5, 0.75, 1.0]
    return made


def test_a_pack_is_the_first_loans_in_the_order_of_the_list(found, book):
    listed = [
        one.loan_number
        for one in book.loans_found(WORST.model_copy(update={"per_page": 4}), ()).items
    ]
    assert [row[0].text for row in found.cover.rows] == listed
    assert [dict(one.cover)["Loan"].text for one in found.memos] == listed
    assert found.title == "Committee pack: All loans, the first 4 of 200"


def test_the_table_in_front_says_what_the_memos_say(found):
    for at, (row, one) in enumerate(zip(found.cover.rows, found.memos, strict=True), 1):
        assert {cell.sources for cell in row} <= {(at,), ()}
        terms = {cell.text for section in one.sections for table in section.tables
                 for line in table.rows for cell in line}  # fmt: skip
        assert row[6].text in terms | {"—"}


def test_both_files_hold_every_memo(found):
    words = "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pack.pdf(found))).pages)
    read = docx.Document(io.BytesIO(pack.docx(found)))
    headings = [one.text for one in read.paragraphs if one.style.name == "Heading 1"]
    assert headings == [one.title for one in found.memos]
    for row in found.cover.rows:
        assert row[0].text in words


def test_a_pack_of_one_loan_leaves_nothing_out(book):
    one = pack.made(book, book, LoanFilter(numbers=("CA-000001",)), "one loan", lambda _: None)
    assert one.title == "Committee pack: one loan"
    assert pack.pdf(one).startswith(b"%PDF")
