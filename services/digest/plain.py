"""A digest as plain text, at most 78 letters a line where words allow it."""

import textwrap
from collections.abc import Iterator
from typing import Final

from .contents import Digest
from .lines import Section

_WIDTH: Final = 78


def text(digest: Digest) -> str:
    """The whole of it, with a line break at the end."""
    return "\n".join(_lines(digest)) + "\n"


def _lines(digest: Digest) -> Iterator[str]:
    yield digest.heading
    yield "=" * len(digest.heading)
    yield ""
    for said in (digest.summary, *digest.remarks):
        yield from _wrapped(said)
    if digest.totals:
        yield ""
        wide = max(len(kind) for kind, _, _ in digest.totals)
        for kind, loans, dollars in digest.totals:
            yield f"  {kind:<{wide}}  {loans:>6}  {dollars:>9}"
    for section in digest.sections:
        yield from _section(section)


def _section(section: Section) -> Iterator[str]:
    yield ""
    yield section.heading
    yield "-" * len(section.heading)
    for loan in section.loans:
        yield ""
        yield from _wrapped(loan.name)
        yield from _wrapped(loan.facts, "  ")
        for event in loan.events:
            yield from _wrapped(f"- {event}", "  ")
    if section.rest:
        yield ""
        yield from _wrapped(section.rest)


def _wrapped(said: str, indent: str = "") -> list[str]:
    further = indent + "  " * said.startswith("- ")
    return textwrap.wrap(
        said, _WIDTH, initial_indent=indent, subsequent_indent=further, break_on_hyphens=False
    )
