"""Small tables as they stand: read, searched, copied and printed like text; a row is a record."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from components.kit import severity, text
from components.kit.text import Markup, element

#: Rows up to which a table that may scroll shows all of them.
_LONG: Final = 12


def plain(
    rows: Sequence[Mapping[str, str]],
    alt: str,
    *,
    figures: Collection[str] = (),
    scrolls: bool = False,
) -> None:
    """A table whose first column names each row; `figures` names the columns set to the right.

    `alt` is what it is called where it is not seen. A long one that `scrolls` is as high as a
    panel. Of no rows nothing is drawn.
    """
    if rows:
        text.show(_made(alt, rows, figures, headed=True, scrolls=scrolls))


def sheet(
    rows: Sequence[Mapping[str, str]],
    alt: str,
    *,
    prose: Collection[str] = (),
    scrolls: bool = False,
) -> None:
    """A table of figures: all columns but the first and those of `prose` are set to the right."""
    plain(rows, alt, figures=_figures(rows, prose), scrolls=scrolls)


def of_figures(
    rows: Sequence[Mapping[str, str]], alt: str, *, prose: Collection[str] = ()
) -> Markup:
    """The same as an element, of at least one row."""
    return _made(alt, rows, _figures(rows, prose), headed=True)


def _figures(rows: Sequence[Mapping[str, str]], prose: Collection[str]) -> list[str]:
    return [name for row in rows[:1] for name in list(row)[1:] if name not in prose]


def facts(pairs: Sequence[tuple[str, str]], alt: str) -> None:
    """Name and value, one below the other."""
    if pairs:
        text.show(of_facts(pairs, alt))


def of_facts(pairs: Sequence[tuple[str, str]], alt: str) -> Markup:
    """The same as an element, of at least one pair."""
    return _made(alt, [{"Fact": name, "Value": value} for name, value in pairs])


def _made(
    alt: str,
    rows: Sequence[Mapping[str, str]],
    figures: Collection[str] = (),
    *,
    headed: bool = False,
    scrolls: bool = False,
) -> Markup:
    parts = [element("caption", alt)]
    if headed:
        heads = (element("th", name, scope="col", class_=_side(name, figures)) for name in rows[0])
        parts.append(element("thead", element("tr", *heads)))
    parts.append(element("tbody", *(_row(row, figures) for row in rows)))
    # Columns may be wider than the window: what scrolls must be reached by keyboard.
    reached = {"tabindex": "0", "role": "region", "aria_label": alt} if headed else {}
    kind = "atlas-table scrolls" if scrolls and len(rows) > _LONG else "atlas-table"
    return element("div", element("table", *parts), class_=kind, **reached)


def _row(row: Mapping[str, str], figures: Collection[str]) -> Markup:
    (first, named), *others = row.items()
    return element(
        "tr",
        element("th", named, scope="row", class_=_side(first, figures)),
        *(
            element("td", severity.chip(value), class_=_side(name, figures))
            for name, value in others
        ),
    )


def _side(name: str, figures: Collection[str]) -> str:
    return "figure" if name in figures else "words"
