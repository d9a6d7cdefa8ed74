"""The memo as DOCX (D249): the same words and numbers, links that lead somewhere, text that stays
text, and a file that LibreOffice opens.
"""

import io
import shutil
import subprocess
import zipfile
from datetime import date

import docx
import pytest
from lxml import etree
from pypdf import PdfReader

from components.memo import table_of_sources, word
from components.memo.contents import memo
from components.memo.document import figures
from services.signals.rescoring import RulesRescorer
from services.sources import Filed
from services.store.leases import Store
from tests.memo.test_memo import HOSTILE, note
from tests.publishing import load_once
from tests.world import RATES, Sketch, info_of

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
OFFICE = shutil.which("soffice")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    folder = tmp_path_factory.mktemp("word")
    s = Sketch(info_of("book", date(2024, 2, 29)))
    s.loan("L1", book_value=12_000_000, value=20_000_000, property_name=HOSTILE.replace("\x00", ""))
    s.tie("L1", "borrower", '</w:t><w:fldSimple w:instr="DDEAUTO"/>', 0.9)
    load_once(folder, [s.portfolio()], rates=RATES)
    store = Store(folder, rescorer=RulesRescorer(), records=Filed())
    with store.lease() as source:
        yield memo(source, source, source.loan("L1"), [note(f"{HOSTILE}\n=1+1\nLast line.")])
    store.close()


@pytest.fixture(scope="module")
def file(hostile):
    return word.of_one(hostile)


def body(file):
    with zipfile.ZipFile(io.BytesIO(file)) as inside:
        return etree.fromstring(inside.read("word/document.xml"))


def test_words_from_outside_are_text_and_nothing_else(file):
    root = body(file)
    kinds = {one.tag for one in root.iter()}
    for active in ("fldSimple", "instrText", "fldChar", "object", "altChunk", "sdt"):
        assert f"{W}{active}" not in kinds
    words = "".join(one.text or "" for one in root.iter(f"{W}t"))
    assert '</w:t><w:fldSimple w:instr="DDEAUTO"/>' in words
    assert "=1+1" in words
    assert "<script>alert(1)</script>" in words
    with zipfile.ZipFile(io.BytesIO(file)) as inside:
        for name in inside.namelist():
            assert not name.endswith(("vbaProject.bin", ".bin"))
            if name.endswith(".rels"):
                assert b'TargetMode="External"' not in inside.read(name)


def test_each_number_leads_to_its_row(file, hostile):
    root = body(file)
    marks = [one.get(f"{W}name") for one in root.iter(f"{W}bookmarkStart")]
    links = {one.get(f"{W}anchor") for one in root.iter(f"{W}hyperlink")}
    assert len(marks) == len(set(marks)) == len(hostile.sources) + 1
    assert links <= set(marks)
    assert len(links) > 10


def test_it_says_what_the_paper_says(file, hostile):
    read = docx.Document(io.BytesIO(file))
    words = "\n".join(one.text for one in read.paragraphs)
    cells = {cell.text for table in read.tables for row in table.rows for cell in row.cells}
    for section in hostile.sections:
        assert section.title in words
    for row in table_of_sources.rows(hostile):
        assert set(row) <= cells
    everything = words + "\n".join(cells)
    assert all(one.text.split("\n")[0][:20].strip("\x00\x08\x1b") in everything
               for one in figures(hostile) if one.text.isascii())  # fmt: skip


@pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not installed")
def test_libreoffice_opens_it(file, tmp_path):
    path = tmp_path / "memo.docx"
    path.write_bytes(file)
    profile = f"-env:UserInstallation=file://{tmp_path}/profile"
    asked = [OFFICE, profile, "--headless", "--convert-to", "pdf", "--outdir", tmp_path, path]
    subprocess.run(asked, check=True, capture_output=True, timeout=240)
    reader = PdfReader(tmp_path / "memo.pdf")
    words = " ".join(page.extract_text() for page in reader.pages)
    assert "What could not be tested" in words
    assert "=1+1" in words
