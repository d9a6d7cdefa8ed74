"""The loans that are chosen in a plot against all of it: what share of each lies in which group."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from components.frame import charts, field_bar, session
from components.frame.fields import One
from components.kit import chart, tables, text, theme
from components.kit.card import opening
from components.kit.formatting import count, fixed
from components.kit.text import escaped
from components.loans.ranking import GROUPS, UNKNOWN, written
from services.contract.loan_filter import LoanFilter
from services.contract.source import GroupBy, Screens

#: What the loans can be grouped by, as the address has it.
LINKED: Final[dict[GroupBy, str]] = {
    "quarter": "Year of maturity",
    **{by: GROUPS[by] for by in ("property_type", "state", "vintage", "lender", "sponsor")},
}
#: What loans are called that have no year of maturity.
NOT_DUE: Final = "Not due"
FIELD: Final = One(
    label="Against all loans, by",
    help=f"By year of maturity, “{NOT_DUE}” are loans without a date, and those that need no new "
    "loan: defeased, REO, paid off, repaid by their schedule.",
    words={label: by for by, label in LINKED.items()},
    required=True,
)
#: Groups that are drawn; the others are one.
_MOST: Final = 12
#: Groups of a result that are asked for.
_ASKED: Final = 5_000
#: Characters of a group's name on the axis.
_LONGEST: Final = 22
#: Pixels around the bars, and of a pair.
_HEAD, _LANE = 70, 26


@dataclass(frozen=True, slots=True)
class Bar:
    """One group: loans of it that are chosen, and all of it."""

    word: str
    chosen: int
    loans: int


def panel(chosen: LoanFilter, whole: LoanFilter, by: GroupBy) -> None:
    """A pair of bars a group, in share of the chosen and of all loans, and the same as a table."""
    bars = grouped(_counts(chosen, by), _counts(whole, by), by)
    of, every = sum(one.chosen for one in bars), sum(one.loans for one in bars)
    field_bar.draw({"linked": FIELD}, key="linked", label=FIELD.label, width=260)
    if not of:
        return
    what = f"{LINKED[by]}: {count(of)} chosen loans against all {count(every)}"
    charts.show(
        drawn(bars, dark=theme.dark()),
        key="linked chart",
        what=what,
        alt=f"{what}, in share of each; the same figures stand in the table below",
    )

    def table() -> None:
        tables.sheet(
            [
                {
                    LINKED[by]: text.line(one.word),
                    "Chosen": count(one.chosen),
                    "Of the chosen": f"{fixed(100 * one.chosen / of, 1)}%",
                    "All loans": count(one.loans),
                    "Of all": f"{fixed(100 * one.loans / every, 1)}%",
                }
                for one in bars
            ],
            what,
        )

    opening("The same as a table", "linked as table", table)


def _counts(query: LoanFilter, by: GroupBy) -> dict[str | None, int]:
    """Loans by group, as the chart has it: of a quarter its year."""
    found: dict[str | None, int] = {}
    for group in session.ask(Screens.loan_ranking, query.without("order").at(1), by, _ASKED).groups:
        word = group.word and written(group, by)
        if by == "quarter" and group.days:
            word = str(group.days[0].year)
        found[word] = found.get(word, 0) + group.loans
    return found


def grouped(
    chosen: Mapping[str | None, int], whole: Mapping[str | None, int], by: GroupBy
) -> list[Bar]:
    """Years in their order, the fewest loans at either end of them as one; other groups by how many
    are chosen, the rest as one. Loans without a group come last.
    """
    bars = [Bar(word, chosen.get(word, 0), loans) for word, loans in whole.items() if word]
    if by in ("quarter", "vintage"):
        bars = _years(sorted(bars, key=lambda one: one.word))
    else:
        bars.sort(key=lambda one: (-one.chosen, -one.loans, one.word))
        if len(bars) > _MOST:
            bars = [*bars[: _MOST - 1], _joined(bars[_MOST - 1 :], "all others")]
    if None in whole:
        word = NOT_DUE if by == "quarter" else UNKNOWN
        bars.append(Bar(word, chosen.get(None, 0), whole[None]))
    return bars


def _years(bars: list[Bar]) -> list[Bar]:
    """Years one after the other, also those without a loan."""
    by_year = {int(one.word): one for one in bars}
    if not by_year:
        return []
    bars = [
        by_year.get(year, Bar(str(year), 0, 0)) for year in range(min(by_year), max(by_year) + 1)
    ]
    while len(bars) > _MOST:
        if sum(one.loans for one in bars[:2]) <= sum(one.loans for one in bars[-2:]):
            bars[:2] = [_joined(bars[:2], f"to {bars[1].word}")]
        else:
            bars[-2:] = [_joined(bars[-2:], f"{bars[-2].word} on")]
    return bars


def _joined(bars: list[Bar], word: str) -> Bar:
    return Bar(word, sum(one.chosen for one in bars), sum(one.loans for one in bars))


def drawn(bars: list[Bar], *, dark: bool) -> chart.Chart:
    """The pairs of bars, one group below the other."""
    figure = chart.empty()
    # By place: two names may begin alike.
    places = list(range(len(bars)))
    few, _, many, _ = (colour for _, colour in chart.scale(dark=dark))
    for name, loans, colour in (
        ("chosen", [one.chosen for one in bars], many),
        ("all loans", [one.loans for one in bars], few),
    ):
        total = sum(loans) or 1
        figure.add_bar(
            name=f"{name}: {count(sum(loans))}",
            y=places,
            x=[one / total for one in loans],
            orientation="h",
            marker={"color": colour, "line": {"width": 0.6, "color": chart.EDGE}},
            customdata=[
                [escaped(one.word), count(held)] for one, held in zip(bars, loans, strict=True)
            ],
            hovertemplate=f"<b>%{{customdata[0]}}</b><br>{name}: %{{customdata[1]}} loans, "
            "%{x:.1%}<extra></extra>",
        )
    figure.update_layout(
        chart.layout(_HEAD + _LANE * len(bars), above=30),
        barmode="group",
        bargap=0.25,
        yaxis={
            "tickvals": places, "ticktext": [escaped(text.cut(one.word, _LONGEST)) for one in bars],
            "autorange": "reversed", "fixedrange": True, "automargin": True,
        },
        xaxis={"tickformat": ".0%", "fixedrange": True, "nticks": 6, "tickangle": 0},
    )  # fmt: skip
    return figure
