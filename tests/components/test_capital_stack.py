"""The capital stack as a bar and as a table."""

import html
import re
from typing import NamedTuple

from components.loans import capital_stack
from components.loans.capital_stack import rows
from services.contract.loan_figures import Figure, Layer

MARK = r'<span class="mark( high)?( last)?"><span>([^<]*)</span></span>'


class Segment(NamedTuple):
    """A part of the bar: percent of the whole, what it says, the mark at its end."""

    part: int
    words: list[str]
    said: str
    look: str
    mark: tuple[bool, bool, str] | None


class Bar(NamedTuple):
    """The bar as it is sent."""

    segments: list[Segment]
    axis: list[str]


def bar(*asked, **given):
    made = capital_stack.bar(*asked, **given)
    begins = '<div class="atlas-stack" role="img" aria-label="Capital stack: [^"<>]*">'
    whole = rf'{begins}<div class="segments">(.*)</div><div class="axis">(.*)</div></div>'
    drawn, axis = re.fullmatch(whole, made).groups()
    one = rf'<div style="--part: (\d+)%">({MARK})?<p title="([^"<>]*)" ([^<>]*)>(.*?)</p></div>'
    assert re.fullmatch(f"({one})+", drawn)
    segments = [
        Segment(
            int(part),
            spans(inner),
            html.unescape(said),
            look,
            (bool(high), bool(last), mark) if marked else None,
        )
        for part, marked, high, last, mark, said, look, inner in re.findall(one, drawn)
    ]
    return Bar(segments, spans(axis))


def spans(body):
    assert re.fullmatch("(<span>[^<]*</span>)*", body)
    return [html.unescape(one) for one in re.findall("<span>([^<]*)</span>", body)]


def marks(found):
    return [one.mark for one in found.segments if one.mark]


def layer(position, amount, total, ltv, lender="Harbour Bank"):
    return Layer(position, "bank", lender, None, amount, 5.25, Figure(total), Figure(ltv))


TWO = (
    layer("senior", 60e6, 60e6, 0.60),
    layer("mezzanine", 15e6, 75e6, 0.75, "</b>{x} & Partners"),
)


def test_a_segment_a_layer_and_the_equity_above():
    drawn = bar(TWO, 100e6)
    assert [one.part for one in drawn.segments] == [60, 15, 25]
    assert [one.words for one in drawn.segments] == [
        ["Senior", "$60.0M"], ["Mezzanine", "$15.0M"], ["Equity", "$25.0M"],
    ]  # fmt: skip
    assert drawn.segments[1].said == "Mezzanine · Bank: $15.0M"
    assert [one.look for one in drawn.segments] == [
        'style="--fill: #1f5fa8; --ink: #ffffff"', 'style="--fill: #e69f00; --ink: #10171f"',
        'class="equity"',
    ]  # fmt: skip
    assert [one.mark and one.mark[2] for one in drawn.segments] == ["60% LTV", "75% LTV", None]
    assert drawn.axis == ["$0", "$50M", "$100M"]


def test_a_debt_above_the_value_leaves_no_equity():
    drawn = bar(TWO, 50e6)
    assert [one.part for one in drawn.segments] == [80, 20]
    assert drawn.axis[-1] == "$75M"


def test_notes_of_one_rank_have_one_mark_at_the_end_of_the_last():
    rank = (layer("senior", 20e6, 60e6, 0.60), layer("other notes", 40e6, 60e6, 0.60))
    drawn = bar(rank, 100e6)
    assert [one.part for one in drawn.segments] == [20, 40, 40]
    assert [one.mark for one in drawn.segments] == [None, (False, False, "60% LTV"), None]


def test_words_from_outside_are_words_and_nothing_more():
    hostile = layer('<b title="x">', 60e6, 60e6, 0.60)
    assert bar((hostile,), 100e6).segments[0].words[0].lower() == '<b title="x">'
    said = bar((hostile,), 100e6).segments[0].said
    assert said.lower() == '<b title="x"> · bank: $60.0m'


def test_marks_that_would_overlap_stand_at_two_heights():
    close = (TWO[0], layer("mezzanine", 2e6, 62e6, 0.62))
    assert marks(bar(close, 62e6)) == [(False, True, "60% LTV"), (True, True, "62% LTV")]


def test_a_narrow_segment_bears_no_words():
    narrow = bar((layer("senior", 1e6, 1e6, 0.01),), 100e6).segments[0]
    assert (narrow.words, narrow.said) == ([], "Senior · Bank: $1.0M")


def test_a_lower_bound_says_so_in_bar_and_table():
    equity = bar(TWO, 100e6, at_least=True).segments[-1]
    assert equity.words == ["Equity", "≤ $25.0M"]
    assert equity.said == "Value above the debt: ≤ $25.0M"
    said = [words for _, _, words in marks(bar(TWO, 75e6, at_least=True))]
    assert said == ["≥ 60% LTV", "≥ 75% LTV"]
    assert rows(TWO, at_least=True)[1] == {
        "Layer": "Mezzanine · Bank",
        "Amount": "$15,000,000",
        "Rate": "5.25%",
        "LTV to its rank": "≥ 75.0%",
        "Lender": "</b>{x} & Partners",
    }
