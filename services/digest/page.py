"""A digest as a page of HTML for mail: nothing is loaded from anywhere, styles stand in elements.

Elements are built as a tree and written by the standard library, which escapes every word.
"""

from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

from .contents import Digest
from .lines import Section

_BODY: Final = (
    "margin:0 auto;padding:16px;max-width:720px;font:15px/1.45 Arial,Helvetica,sans-serif;"
    "color:#10171f;background:#ffffff"
)
_MUTED: Final = "color:#4a5663"
_CELL: Final = "padding:3px 14px 3px 0;border-bottom:1px solid #d8dee4;text-align:"


def html(digest: Digest) -> str:
    """The whole page."""
    page = Element("html", lang="en")
    head = SubElement(page, "head")
    SubElement(head, "meta", charset="utf-8")
    SubElement(head, "meta", name="viewport", content="width=device-width")
    SubElement(head, "title").text = digest.heading
    body = SubElement(page, "body", style=_BODY)
    SubElement(body, "h1", style="font-size:22px").text = digest.heading
    SubElement(body, "p", style="font-weight:bold").text = digest.summary
    for said in digest.remarks:
        SubElement(body, "p", style=_MUTED).text = said
    if digest.totals:
        _totals(body, digest)
    for section in digest.sections:
        _section(body, section)
    return "<!doctype html>\n" + tostring(page, encoding="unicode", method="html") + "\n"


def _totals(body: Element, digest: Digest) -> None:
    table = SubElement(body, "table", style="border-collapse:collapse")
    heads = SubElement(SubElement(table, "thead"), "tr")
    for label, side in (("Event", "left"), ("Loans", "right"), ("Dollars", "right")):
        SubElement(heads, "th", scope="col", style=_CELL + side).text = label
    rows = SubElement(table, "tbody")
    for kind, loans, dollars in digest.totals:
        row = SubElement(rows, "tr")
        SubElement(row, "th", scope="row", style=f"{_CELL}left;font-weight:normal").text = kind
        for figure in (loans, dollars):
            SubElement(row, "td", style=f"{_CELL}right").text = figure


def _section(body: Element, section: Section) -> None:
    SubElement(body, "h2", style="font-size:17px;margin-top:28px").text = section.heading
    for loan in section.loans:
        SubElement(body, "h3", style="font-size:15px;margin:16px 0 0").text = loan.name
        SubElement(body, "p", style=f"margin:0;{_MUTED}").text = loan.facts
        if loan.events:
            listed = SubElement(body, "ul", style="margin:4px 0 0;padding-left:20px")
            for event in loan.events:
                SubElement(listed, "li").text = event
    if section.rest:
        SubElement(body, "p").text = section.rest
