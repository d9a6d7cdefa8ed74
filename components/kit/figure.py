"""Headline figures: each with its label above it and below it a line that says of what."""

from collections.abc import Sequence
from dataclasses import dataclass

from components.kit import severity, text
from components.kit.text import Markup, element


@dataclass(frozen=True, slots=True)
class Spread:
    """Loans by classes of one width, and the ends of the first and the last as they are written."""

    counts: Sequence[int]
    low: str
    high: str


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure; the help stands beside the label while it is pointed at or in focus."""

    label: str
    value: str
    of_what: str
    help_text: str | None = None
    #: The severity that a rule gives it, which is written after `of_what`.
    grade: str | None = None
    #: Coloured as what is bad, though no rule graded it: `of_what` says why.
    bad: bool = False
    #: How what it sums up is spread, drawn beside it.
    spread: Spread | None = None


def row(figures: Sequence[Figure], *, slim: bool = False) -> None:
    """Figures side by side, in as many rows as they need; `slim` over a list, without cards."""
    look = "atlas-figures slim" if slim else "atlas-figures"
    text.show(element("div", *map(_drawn, figures), class_=look))


def figure(label: str, value: str, of_what: str, help_text: str | None = None) -> None:
    """One figure, as wide as where it stands."""
    row([Figure(label, value, of_what, help_text)])


def _drawn(one: Figure) -> Markup:
    label = [element("span", severity.chip(one.label))]
    of = [one.of_what]
    if one.grade:
        of += [Markup(" "), element("span", severity.label(one.grade))]
    if one.help_text:
        tip = element("span", one.help_text, class_="tip", aria_hidden="true")
        label.append(
            element(
                "span", "?", tip, class_="help", tabindex="0", role="img", aria_label=one.help_text
            )
        )
    return element(
        "div",
        element("p", *label, class_="label"),
        element("p", severity.chip(one.value), class_=f"value {_look(one)}".strip()),
        element("p", *of, class_="of"),
        *([_picture(one.spread)] if one.spread else []),
        class_="atlas-figure",
    )


def _picture(spread: Spread) -> Markup:
    most = max(spread.counts, default=0) or 1
    bars = (element("span", style=text.shares(part=loans / most)) for loans in spread.counts)
    told = (f"Loans in {len(spread.counts)} equal classes from {spread.low} to {spread.high}: "
            f"{', '.join(map(str, spread.counts))}")  # fmt: skip
    return element(
        "div",
        element("div", *bars, class_="bars"),
        element("div", element("span", spread.low), element("span", spread.high), class_="ends"),
        class_="spread", role="img", aria_label=told,
    )  # fmt: skip


def _look(one: Figure) -> str:
    """The class of a figure's colour; what is graded low has none."""
    at = severity.rank(one.grade)
    return "bad" if one.bad or at >= severity.rank("severe") else "weak" if at > 0 else ""
