"""A memo, or a pack of memos, on paper: what the template reads, as PDF and as pictures."""

from collections.abc import Sequence
from typing import Any

from components.kit.text import line
from components.kit.typesetting import pages, typeset
from components.memo import table_of_sources
from components.memo.document import Memo, Said, Section, Table

TEMPLATE = "memo.typ"


def pdf(data: dict[str, Any]) -> bytes:
    """The file to take away."""
    return typeset(TEMPLATE, data, "pdf")


def preview(data: dict[str, Any]) -> list[bytes]:
    """Each page as a PNG."""
    return pages(TEMPLATE, data)


def of_one(memo: Memo) -> dict[str, Any]:
    """What the template reads of one memo."""
    return {"pack": None, "memos": [_memo(memo, "m0")]}


def of_pack(title: str, cover: Table, memos: Sequence[Memo]) -> dict[str, Any]:
    """And of several, with a table of them in front."""
    return {
        "pack": {"title": line(title), "table": _table(cover, "p")},
        "memos": [_memo(one, f"m{at}") for at, one in enumerate(memos)],
    }


def _memo(memo: Memo, mark: str) -> dict[str, Any]:
    return {
        "mark": mark,
        "title": line(memo.title),
        "cover": [[name, _said(said, mark)] for name, said in memo.cover],
        "as_of": memo.as_of,
        "snapshot": memo.snapshot,
        "synthetic": memo.synthetic,
        "sections": [_section(one, mark) for one in memo.sections],
        "heads": table_of_sources.HEADS,
        "sources": table_of_sources.rows(memo),
        "files": table_of_sources.files(memo),
    }


def _section(one: Section, mark: str) -> dict[str, Any]:
    return {
        "title": line(one.title),
        "said": [_said(said, mark) for said in one.said],
        "picture": None if one.picture is None else one.picture.svg,
        "alt": "" if one.picture is None else one.picture.alt,
        "steps": [_said(said, mark) for said in one.steps],
        "tables": [_table(table, mark) for table in one.tables],
    }


def _table(table: Table, mark: str) -> dict[str, Any]:
    return {
        "heads": list(table.heads),
        "rows": [[_said(cell, mark) for cell in row] for row in table.rows],
        "figures": list(table.figures),
        "widths": list(table.widths),
    }


def _said(said: Said, mark: str) -> dict[str, Any]:
    """Words line by line, and the marks of their sources."""
    lines = [line(one) for one in said.text.splitlines()] or [""]
    return {"lines": lines, "of": [[str(one), f"{mark}-{one}"] for one in said.sources]}
