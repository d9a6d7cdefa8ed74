"""Compare: up to five loans or parties side by side, their facts in groups, the weakest marked
(D266).
"""

import re

import pytest

from services.contract.loan_filter import LoanFilter
from services.importers import demo
from tests.pages.screen import headings, links, said, tables
from tests.publishing import load_once

KEY = "Key figures of the loans"
#: Which end of a figure is the bad one, by its label and the field that states it.
SIDES = {
    "Short at refinance": ("dollars_short", max),
    "DSCR": ("dscr", min),
    "DSCR at the refi rate": ("proforma_dscr", min),
    "LTV": ("ltv", max),
    "Debt yield": ("debt_yield", min),
    "Occupancy": ("occupancy", min),
    "Gap to the coupon": ("rate_gap_bp", max),
}
OTHER = {min: max, max: min}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("loans")
    load_once(folder, [demo.portfolio(loans=400)])
    return folder


@pytest.fixture
def worst(source):
    """The loans whose signals are worst, and the raw record of each."""
    query = LoanFilter(order="-worst_severity", per_page=40)
    found = [one.loan_number for one in source.loans_found(query, ()).items]
    return found, {number: source.loan(number).extended for number in found}


def compared(visit, folder, numbers, **more):
    app = visit("pages/compare.py", folder, {"loans": ",".join(numbers), **more})
    assert not app.exception
    return app


def marks(app, label):
    """Number of a loan -> what it is marked as in a fact, where it is."""
    (row,) = (row for row in tables(app)[KEY] if row["Fact"] == label)
    found = {re.search(r"\((.*)\)$", head)[1]: cell for head, cell in list(row.items())[1:]}
    return {number: cell.split(" ")[0] for number, cell in found.items() if cell[0] in "bw"}


@pytest.mark.parametrize("at", range(0, 40, 4))
def test_the_best_and_the_weakest_are_those_of_the_raw_figures(visit, folder, worst, at):
    order, raw = worst
    numbers = order[at : at + 4]
    app = compared(visit, folder, numbers)
    for label, (field, bad) in SIDES.items():
        if label not in {row["Fact"] for row in tables(app)[KEY]}:
            assert all(raw[one].get(field) is None for one in numbers)
            continue
        sizes = {one: raw[one][field] for one in numbers if raw[one].get(field) is not None}
        bounded = field not in {"dscr", "occupancy", "rate_gap_bp"}
        unsure = {one for one in sizes if bounded and raw[one].get("debt_at_least")}
        found = marks(app, label)
        for side, word in ((bad, "weakest"), (OTHER[bad], "best")):
            end = side(sizes.values(), default=None)
            at_end = {one for one, size in sizes.items() if size == end}
            marked = {one for one, mark in found.items() if mark == word}
            assert marked <= at_end
            (one,) = at_end if len(at_end) == 1 else (None,)
            sure = (
                one and len(sizes) > 1 and not (one in unsure if word == "best" else unsure - {one})
            )
            clear = all(abs(size - end) > 0.02 * abs(end) for size in sizes.values() if size != end)
            if not sure:
                assert not marked
            elif clear:
                assert marked == {one}


def test_the_weakest_is_named_and_each_loan_has_a_card(visit, folder, worst):
    numbers = worst[0][:3]
    app = compared(visit, folder, numbers)
    assert len(headings(app, 2)) == 3 + 7 + 1  # cards, groups that open, the history
    counts = re.findall(r"Best in (\d+), weakest in (\d+) of (\d+) figures", said(app))
    assert len(counts) == 3
    assert len({whole for _, _, whole in counts}) == 1
    every = [label for label, *_ in ((row["Fact"],) for row in tables(app)[KEY])]
    assert every[0] == "Worst signal"
    assert "weakest in" in said(app)
    assert links(app).count("Open loan") == links(app).count("Remove") == 3


def test_a_lead_alone_is_no_signal_and_is_named(visit, folder, source, worst):
    # D279
    asked = LoanFilter(rule=("CT-1",), severity=("none",), per_page=1)
    (lead,) = source.loans_found(asked, ()).items
    app = compared(visit, folder, [worst[0][0], lead.loan_number])
    shown = "".join(one.proto.body for one in app.get("html"))
    assert "No signal. Contagion (a lead)" in shown


def test_without_one_of_them_the_others_stay(visit, folder, worst):
    numbers = worst[0][:3]
    left = {
        one.proto.query_string
        for one in compared(visit, folder, numbers).get("page_link")
        if one.proto.label == "Remove"
    }
    assert left == {f"loans={a}%2C{b}" for a, b in (numbers[1:], numbers[::2], numbers[:2])}


def test_groups_say_how_many_of_their_facts_differ(visit, folder, worst):
    numbers = worst[0][:3]
    app = compared(visit, folder, numbers)
    only = compared(visit, folder, numbers, differing="yes")
    for group, differing, whole in re.findall(r"(.+): (\d+) of (\d+) differ", said(app)):
        rows = tables(app)[f"{group} of the loans"]
        assert len(rows) == int(whole)
        unlike = [row for row in rows if len(set(list(row.values())[1:])) > 1]
        assert len(unlike) == int(differing)
        assert tables(only).get(f"{group} of the loans", []) == unlike
    assert 'open=""' not in str([one.proto.body for one in app.get("html")])
    assert 'open=""' in str([one.proto.body for one in only.get("html")])


def test_what_is_defeased_or_owes_nothing_is_no_better_than_another(visit, folder, source):
    """D278: of three without a signal one owes; none of them is the best or the weakest."""
    of = {
        word: source.loans_found(LoanFilter(severity=(word,)), ()).items[0].loan_number
        for word in ("none", "defeased", "nothing owed")
    }
    app = compared(visit, folder, of.values())
    (row,) = (row for row in tables(app)[KEY] if row["Fact"] == "Worst signal")
    assert list(row.values())[1:] == ["no signal", "defeased", "nothing owed"]
    assert marks(app, "Worst signal") == {}
    cards = " ".join(one.proto.body for one in app.get("html"))
    for written in ("No signal.", "Defeased.", "Nothing owed."):
        assert written in cards


def test_a_loan_that_is_none_is_left_out(visit, folder, worst):
    first, second = worst[0][:2]
    app = compared(visit, folder, (first, second, "nope"))
    assert "There is no loan 'nope'; it is left out." in said(app)
    assert "2 loans side by side" in said(app)
    app = compared(visit, folder, (first,))
    assert "1 loan side by side" in said(app)
    assert "Remove" not in links(app)
