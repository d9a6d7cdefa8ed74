"""A memo, or a pack of memos, as DOCX, for those who must edit it: the same sections and sources.

Words are put in as text of runs, never as fields, styles or markup; what XML does not allow is
marked by the door (components/kit/text.py).
"""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from components.kit.text import line
from components.kit.typesetting import typeset
from components.memo import table_of_sources
from components.memo.document import Memo, Picture, Said, Section, Table

if TYPE_CHECKING:
    from docx.document import Document
    from docx.table import _Cell
    from docx.text.paragraph import Paragraph

_PICTURE: Final = "picture.typ"
_WIDE: Final = 6.6
_MADE_UP: Final = "Demonstration data: every loan and name is made up."
_STYLE: Final = "Light List"
#: Points of words in tables, and of sources; parts of the width of the table of sources.
_SMALL: Final = 8
_SMALLEST: Final = 7
_SOURCES: Final = (0.5, 1.7, 3.6, 1.1)


def of_one(memo: Memo) -> bytes:
    """The file of one memo."""
    return _Writer(memo.title).written([memo])


def of_pack(title: str, cover: Table, memos: Sequence[Memo]) -> bytes:
    """And of several, with a table of them in front."""
    writer = _Writer(title)
    writer.front(title, cover, synthetic=any(one.synthetic for one in memos))
    return writer.written(memos)


class _Writer:
    def __init__(self, title: str) -> None:
        import docx
        from docx.shared import Inches, Pt

        self._inches, self._points = Inches, Pt
        self._file: Document = docx.Document()
        self._marks = 0
        section = self._file.sections[0]
        section.left_margin = section.right_margin = Inches(0.9)
        section.top_margin = section.bottom_margin = Inches(0.8)
        self._file.core_properties.title = line(title)
        self._file.core_properties.author = "Credit Atlas"
        self._file.core_properties.comments = ""
        normal: Any = self._file.styles["Normal"]
        normal.font.size, normal.font.name = Pt(9.5), "Liberation Serif"

    def front(self, title: str, cover: Table, *, synthetic: bool) -> None:
        """The title of a pack, and the table of its loans."""
        self._file.add_heading(line(title), level=0)
        if synthetic:
            self._file.add_paragraph(_MADE_UP)
        self._table(cover, "p")
        self._break()

    def _break(self) -> None:
        from docx.enum.text import WD_BREAK

        self._file.add_paragraph().add_run().add_break(WD_BREAK.PAGE)

    def written(self, memos: Sequence[Memo]) -> bytes:
        """Everything, as a file."""
        for at, memo in enumerate(memos):
            if at:
                self._break()
            self._memo(memo, f"m{at}", at + 1)
        out = io.BytesIO()
        self._file.save(out)
        return out.getvalue()

    def _memo(self, memo: Memo, mark: str, at: int) -> None:
        self._marked(self._file.add_heading(line(memo.title), level=1), f"p-{at}")
        for name, said in memo.cover:
            paragraph = self._file.add_paragraph()
            paragraph.paragraph_format.space_after = self._points(0)
            paragraph.add_run(f"{name}: ").bold = True
            self._said(paragraph, said, mark)
        self._file.add_paragraph(f"Snapshot {memo.snapshot}")
        if memo.synthetic:
            self._file.add_paragraph(_MADE_UP)
        for section in memo.sections:
            self._section(section, mark)
        self._sources(memo, mark)

    def _section(self, section: Section, mark: str) -> None:
        self._file.add_heading(line(section.title), level=2)
        for said in section.said:
            self._said(self._file.add_paragraph(), said, mark)
        if section.picture is not None:
            self._picture(section.picture)
        for at, step in enumerate(section.steps):
            if at:
                self._centred("↓")
            self._said(self._centred(""), step, mark)
        for table in section.tables:
            self._table(table, mark)

    def _centred(self, words: str) -> "Paragraph":
        from docx.enum.text import WD_ALIGN_PARAGRAPH

        paragraph = self._file.add_paragraph(words)
        paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER
        paragraph.paragraph_format.space_after = self._points(0)
        return paragraph

    def _picture(self, picture: Picture) -> None:
        drawn = typeset(_PICTURE, {"svg": picture.svg, "alt": picture.alt}, "png")
        shape = self._file.add_picture(io.BytesIO(drawn), width=self._inches(_WIDE))
        shape._inline.docPr.set("descr", picture.alt)  # noqa: SLF001 - the library has no call for it

    def _table(self, table: Table, mark: str) -> None:
        if not table.rows:
            return
        grid = self._grid(table.heads, table.widths)
        for row in table.rows:
            cells = grid.add_row().cells
            for at, said in enumerate(row):
                self._cell(cells[at], said, mark, right=at in table.figures)
        self._file.add_paragraph()

    def _grid(self, heads: Sequence[str], widths: Sequence[float]) -> Any:  # noqa: ANN401 - the library's
        """A table with its heads, as wide as the page; `widths` are parts of that."""
        grid = self._file.add_table(rows=1, cols=len(heads))
        grid.style = _STYLE
        grid.autofit = not widths
        for at, part in enumerate(widths):
            grid.columns[at].width = self._inches(_WIDE * part / sum(widths))
        for cell, head in zip(grid.rows[0].cells, heads, strict=True):
            run = cell.paragraphs[0].add_run(line(head))
            run.bold, run.font.size = True, self._points(_SMALL)
        return grid

    def _cell(self, cell: "_Cell", said: Said, mark: str, *, right: bool) -> None:
        from docx.enum.text import WD_ALIGN_PARAGRAPH

        paragraph = cell.paragraphs[0]
        self._said(paragraph, said, mark, small=True)
        if right:
            paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT

    def _said(self, paragraph: "Paragraph", said: Said, mark: str, *, small: bool = False) -> None:
        """Words line by line, then the numbers of their sources as links to the table."""
        for at, words in enumerate(said.text.splitlines()):
            run = paragraph.add_run(line(words))
            if small:
                run.bold, run.font.size = False, self._points(_SMALL)
            if at + 1 < len(said.text.splitlines()):
                run.add_break()
        for at, number in enumerate(said.sources):
            self._link(paragraph, f"{',' if at else ''}{number}", f"{mark}-{number}")

    def _link(self, paragraph: "Paragraph", words: str, mark: str) -> None:
        from docx.oxml import OxmlElement
        from docx.oxml.ns import qn

        link = OxmlElement("w:hyperlink")
        link.set(qn("w:anchor"), mark)
        run = paragraph.add_run(words)
        run.font.superscript, run.bold = True, False
        link.append(run._r)  # noqa: SLF001 - a run moves into its link
        paragraph._p.append(link)  # noqa: SLF001

    def _sources(self, memo: Memo, mark: str) -> None:
        self._file.add_heading("Sources", level=2)
        grid = self._grid(table_of_sources.HEADS, _SOURCES)
        for row in table_of_sources.rows(memo):
            cells = grid.add_row().cells
            for at, words in enumerate(row):
                run = cells[at].paragraphs[0].add_run(words)
                run.font.size, run.bold = self._points(_SMALLEST), False
            self._marked(cells[0].paragraphs[0], f"{mark}-{row[0]}")
        for name, words in table_of_sources.files(memo):
            paragraph = self._file.add_paragraph(f"{name}: {words}")
            paragraph.paragraph_format.space_after = self._points(0)

    def _marked(self, paragraph: "Paragraph", mark: str) -> None:
        """A place that links lead to."""
        from docx.oxml import OxmlElement
        from docx.oxml.ns import qn

        self._marks += 1
        for name in ("w:bookmarkStart", "w:bookmarkEnd"):
            element = OxmlElement(name)
            element.set(qn("w:id"), str(self._marks))
            if name.endswith("Start"):
                element.set(qn("w:name"), mark)
            paragraph._p.append(element)  # noqa: SLF001 - the library has no call for it
