"""What changed between two dates (D165, D166, D181): the statement of the store against a plain
oracle, loan by loan; counts, matrix, filters, order and pages counted again from the rows.
"""

import random
from collections import Counter
from datetime import date
from typing import NamedTuple

import pytest

from services.contract.changes_wording import remarks
from services.contract.errors import InvalidRequest, NotFound
from services.contract.events import EVENT_KINDS, IMPORTANCE
from services.contract.history import (
    NOT_IN_FILE,
    ChangeQuery,
    HeatQuery,
    HistoryQuery,
    TrendQuery,
)
from services.contract.vocabulary import NO_SIGNAL, NOTHING_OWED
from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from tests import oracle_events, oracle_trends
from tests.oracle_notes import ungraded
from tests.periods import BY, drawn, kept, period, row

DAYS = [date(2024, 1, 31), date(2024, 2, 29), date(2024, 3, 29)]
LOANS = 400
#: Records of these that are notes of loans of three.
NOTES = 60


@pytest.fixture(scope="module")
def rows():
    """Rows by date and loan number: some loans come, some go."""
    rng = random.Random(166)
    made = {day: {} for day in DAYS}
    for at in range(LOANS):
        state, kind = rng.choice(["TX", "NY", None]), rng.choice(["office", "retail", None])
        if at < NOTES:  # notes of one loan lie in one place and are as old
            of = random.Random(at // 3)
            state, kind = of.choice(["TX", "NY", None]), of.choice(["office", "retail", None])
        for day in DAYS:
            if rng.random() < 0.9:
                facts = {"state": state, "property_type": kind, "vintage": 2015 + at // 3 % 2 * 2}
                facts |= {"lender": rng.choice(["Harbour Bank", "Quay Bank"])}
                made[day][f"1:{at:03d}"] = {
                    **drawn(rng, f"1:{at:03d}", day), **facts, **noted(at, day)
                }  # fmt: skip
    return made


def noted(at, day):
    """Loans of three records each, of which in some the first is the sum of the others; of one the
    second date alone says so.
    """
    if at >= NOTES or (at < 3 and day != DAYS[1]):
        return {}
    return {"whole_loan": f"1:{at // 3 * 3:03d}", "sums_notes": at % 6 == 0}


@pytest.fixture(scope="module")
def source(rows, tmp_path_factory):
    folder = tmp_path_factory.mktemp("changes") / "store"
    kept(folder, *(period("one", day, list(rows[day].values())) for day in DAYS))
    store = Store(folder, rescorer=RulesRescorer())
    with store.lease() as found:
        yield found
    store.close()


def worst(found):
    if found is None:
        return NOT_IN_FILE
    without = ungraded(found)
    if without == NOTHING_OWED:
        return without
    return found["worst"] or without


def pairs(rows, since, until):
    """Loan number, row before, row after."""
    rows = {
        day: {row["loan_number"]: row for row in listed} for (_, day), listed in filed(rows).items()
    }
    for number in sorted(rows[since].keys() | rows[until].keys()):
        dated = [
            None if (found := rows[day].get(number)) is None else {**found, "as_of": day}
            for day in (since, until)
        ]
        yield number, *dated


def dollars(before, after):
    return (after and after["balance"]) or (before and before["balance"]) or 0


def expected(rows, since, until, **conditions):
    """Loan number -> kinds, dollars, words of the matrix."""
    found = {}
    for number, before, after in pairs(rows, since, until):
        of = lambda name: (after and after[name]) or (before and before[name])  # noqa: E731, B023
        if all(of(name) in values for name, values in conditions.items()):
            kinds = oracle_events.kinds(before, after)
            found[number] = Changed(
                kinds,
                dollars(before, after),
                worst(before),
                worst(after),
                (after or before)["whole_loan"] or number,
                not (after or before)["sums_notes"],
            )
    return found


class Changed(NamedTuple):
    """What the oracle finds of one record."""

    kinds: list
    worth: int
    before: str
    after: str
    loan: str
    adds: bool


def loans(found):
    """The different loans among records."""
    return len({one.loan for one in found})


def added(found):
    """Their dollars, each once."""
    return sum(one.worth for one in found if one.adds)


def everything(source, **asked):
    """All pages of a query."""
    query = ChangeQuery(per_page=100, **asked)
    found = source.changes(query)
    items = list(found.found.items)
    for page in range(2, -(-found.found.total // 100) + 1):
        items += source.changes(query.at(page)).found.items
    return found, items


@pytest.mark.parametrize(("first", "last"), [(0, 1), (1, 2), (0, 2)])
def test_every_kind_of_every_loan_is_what_the_oracle_finds(source, rows, first, last):
    since, until = DAYS[first], DAYS[last]
    found, items = everything(source, since=since, until=until, sponsors=True)
    true = expected(rows, since, until)
    changed = {number: one for number, one in true.items() if one.kinds}
    assert found.compared == loans(true.values()) < len(true)
    assert {one.loan_number: sorted({event.kind for event in one.events}) for one in items} == {
        number: one.kinds for number, one in changed.items()
    }
    assert found.dollars == added(changed.values())
    assert found.loans == loans(changed.values()) < found.found.total
    assert found.notes == sum(one.adds for one in changed.values()) < found.found.total
    counted = Counter(kind for one in true.values() for kind in one.kinds)
    assert [one.kind for one in found.counts] == sorted(counted, key=IMPORTANCE.__getitem__)
    for one in found.counts:
        hit = [each for each in true.values() if one.kind in each.kinds]
        assert (one.loans, one.dollars) == (loans(hit), added(hit)), one.kind
    cells = {}
    for one in true.values():
        cells.setdefault((one.before, one.after), []).append(one)
    assert {(one.before, one.after): (one.loans, one.dollars) for one in found.moves} == {
        cell: (loans(listed), added(listed)) for cell, listed in cells.items()
    }
    assert sum(one.dollars for one in found.moves) == added(true.values())
    bad = {kind.name for kind in EVENT_KINDS if kind.direction == "worse"}
    hit = [one for one in true.values() if bad & set(one.kinds)]
    assert (found.worse.loans, found.worse.dollars) == (loans(hit), added(hit))


def test_the_order_is_importance_then_dollars_then_number(source, rows):
    _, items = everything(source, sponsors=True)
    true = expected(rows, DAYS[1], DAYS[2])
    keys = [
        (min(IMPORTANCE[kind] for kind in one.kinds), -one.worth, number)
        for number, one in true.items()
        if one.kinds
    ]
    assert [one.loan_number for one in items] == [number for *_, number in sorted(keys)]
    _, items = everything(source, sponsors=True, order="-dollars")
    by_dollars = sorted((worth, number) for _, worth, number in keys)
    assert [one.loan_number for one in items] == [number for _, number in by_dollars]


@pytest.mark.parametrize(
    "conditions",
    [
        {"state": ("TX",)},
        {"state": ("TX", "NY"), "property_type": ("office",), "lender": ("Quay Bank",)},
    ],
)
def test_conditions_on_loans_narrow_everything(source, rows, conditions):
    asked = {**conditions, "lender": conditions.get("lender", (None,))[0]}
    found, items = everything(source, since=DAYS[0], sponsors=True, **asked)
    true = expected(rows, DAYS[0], DAYS[2], **conditions)
    assert found.compared == loans(true.values()) > 0
    changed = {number for number, one in true.items() if one.kinds}
    assert {one.loan_number for one in items} == changed


@pytest.mark.parametrize(
    ("asked", "meets"),
    [
        ({"min_balance": 10_000_000}, lambda worth, _: worth is not None and worth >= 10_000_000),
        ({"max_balance": 10_000_000}, lambda worth, _: worth is not None and worth <= 10_000_000),
        ({"maturity_before": DAYS[1]}, lambda _, due: due is not None and due < DAYS[1]),
        ({"maturity_after": DAYS[1]}, lambda _, due: due is not None and due > DAYS[1]),
    ],
)
def test_bounds_of_what_is_at_stake_and_of_maturity_narrow_everything(source, rows, asked, meets):
    """D8: dollars with their bounds, days without; what is not known meets none."""
    whole, true = expected(rows, DAYS[0], DAYS[2]), {}
    for number, before, after in pairs(rows, DAYS[0], DAYS[2]):
        sides = [side for side in (after, before) if side]
        owed = next(
            (one["balance"] for one in sides if one["balance"]), before and before["balance"]
        )
        due = next((one["maturity_date"] for one in sides if one["maturity_date"]), None)
        if meets(owed, due):
            true[number] = whole[number]
    found, items = everything(source, since=DAYS[0], sponsors=True, **asked)
    assert found.compared == loans(true.values()) > 0
    assert {one.loan_number for one in items} == {name for name, one in true.items() if one.kinds}


def test_kinds_cells_and_numbers_narrow_what_is_found_alone(source, rows):
    whole, items = everything(source, since=DAYS[0])
    kinds = ("paid_off", "special_in")
    found, few = everything(source, since=DAYS[0], kind=kinds)
    assert [one.loan_number for one in few] == [
        one.loan_number for one in items if {event.kind for event in one.events} & set(kinds)
    ]
    assert (found.counts, found.moves) == (whole.counts, whole.moves)
    cell = {"severity_before": ("severe",), "severity_after": (NO_SIGNAL, NOTHING_OWED)}
    _, few = everything(source, since=DAYS[0], **cell)
    assert few
    assert {one.severity_before for one in few} == {"severe"}
    assert {one.severity_after for one in few} <= {NO_SIGNAL, NOTHING_OWED}
    numbers = ("1:101", "1:102", "9:999")
    assert source.changes(ChangeQuery(since=DAYS[0], numbers=numbers)).compared == len(
        [one for one in numbers if one in rows[DAYS[0]] or one in rows[DAYS[2]]]
    )


def test_sponsors_are_shown_to_who_asks_for_them(source, rows):
    changed = expected(rows, DAYS[1], DAYS[2])
    assert any("sponsor_changed" in one.kinds for one in changed.values())
    _, items = everything(source)
    assert not any(event.kind == "sponsor_changed" for one in items for event in one.events)
    number = next(number for number, one in rows[DAYS[0]].items() if one["sponsor"])
    assert source.history(number, HistoryQuery()).rows[0].sponsor is None
    assert source.history(number, HistoryQuery(sponsors=True)).rows[0].sponsor


def test_a_date_before_the_first_period_is_refused(source):
    with pytest.raises(InvalidRequest, match="the first period is of 2024-01-31"):
        source.changes(ChangeQuery(since=date(2023, 12, 31)))


def test_the_line_of_a_loan_has_what_each_period_says(source, rows):
    for number in ("1:000", "1:007", "1:399"):
        line = source.history(number, HistoryQuery(sponsors=True))
        has = [day for day in DAYS if number in rows[day]]
        assert [one.as_of for one in line.rows] == has
        assert list(line.missing) == [day for day in DAYS if day > has[0] and day not in has]
        for one in line.rows:
            said = rows[one.as_of][number]
            assert one.signals == {
                kind: said[kind] for kind in oracle_events.TYPES if said[kind] is not None
            }
            for name in set(type(one).model_fields) & set(said) - {"rules"}:
                assert getattr(one, name) == said[name], name
    with pytest.raises(NotFound, match="'1:xyz'"):
        source.history("1:xyz", HistoryQuery())
    assert len(source.history("1:000", HistoryQuery(until=DAYS[0])).rows) <= 1


def filed(rows):
    """As tests/oracle_trends.py reads periods."""
    return oracle_trends.joined({("one", day): list(rows[day].values()) for day in DAYS})


@pytest.mark.parametrize("by", ["all", "property_type", "vintage"])
def test_trends_are_sums_over_the_rows_of_each_month(source, rows, by):
    found = source.trends(TrendQuery(by=by, state=("TX", "NY")))
    groups = {}
    for month, listed in oracle_trends.monthly(filed(rows)).items():
        for one in oracle_trends.owing(listed):
            if one["state"]:
                word = None if by == "all" else one[by]
                word = str(word) if by == "vintage" else word
                groups.setdefault((month, word), []).append(one)
    assert {(one.month, one.word) for one in found.points} == set(groups)
    for point in found.points:
        said = point.model_dump(exclude={"month", "word"})
        true = oracle_trends.point(groups[point.month, point.word])
        for name in ("dscr", "occupancy"):
            assert said.pop(name) == pytest.approx(true.pop(name))
        assert said == true


def test_rolls_follow_each_loan_to_the_next_period(source, rows):
    rolls = source.trends(TrendQuery()).rolls
    true = oracle_trends.rolls(filed(rows))
    assert {
        (one.month, one.before, one.after): one.model_dump(exclude={"month", "before", "after"})
        for one in rolls
    } == {cell: dict(sums) for cell, sums in true.items()}


def test_the_map_over_time_counts_the_states_of_each_month(source, rows):
    found = source.heat_over_time(HeatQuery(at_least="severe", property_type="office"))
    assert found.months == tuple(day.replace(day=1) for day in DAYS)
    true = {
        (month, state): figures
        for month, listed in oracle_trends.monthly(filed(rows)).items()
        for state, figures in oracle_trends.heat(
            [one for one in listed if one["property_type"] == "office"], "severe"
        ).items()
    }
    assert {
        (one.month, one.state): one.model_dump(exclude={"month", "state"}) for one in found.points
    } == true


def test_of_two_sources_the_newest_period_not_after_each_date_is_compared(tmp_path):
    store_folder = tmp_path / "store"
    late = date(2024, 3, 5)
    kept(
        store_folder,
        period("one", DAYS[0], [row("1:a"), row("1:b")]),
        period("one", DAYS[1], [row("1:a", balance=0), row("1:b")]),
        period("one", late, [row("1:b", workout="7")]),
    )
    store = Store(store_folder, rescorer=RulesRescorer())
    with store.lease() as source:
        found = source.changes(ChangeQuery(since=date(2024, 2, 15), until=date(2024, 3, 1)))
        assert [(one.kind, one.loans) for one in found.counts] == [("paid_off", 1)]
        found = source.changes(ChangeQuery())
        assert (found.since, found.until) == (DAYS[1], late)
        assert [(one.kind, one.loans) for one in found.counts] == [("workout", 1)]
        assert found.not_compared == ()
        assert not found.rules_changed
        assert source.trends(TrendQuery()).rules_versions == ((date(2024, 1, 1), BY.rules_version),)
    store.close()


def test_deals_that_file_on_different_days_are_each_compared_with_their_last_month(tmp_path):
    """D184: of four deals one filed once, and one nothing since August."""
    sep, oct_, aug = date(2024, 9, 11), date(2024, 10, 11), date(2024, 8, 15)
    sep_two, oct_two = date(2024, 9, 17), date(2024, 10, 17)
    kept(
        tmp_path / "store",
        period("one", sep, [row("1:a"), row("1:b")]),
        period("one", oct_, [row("1:a", workout="7"), row("1:b")]),
        period("two", sep_two, [row("2:a")]),
        period("two", oct_two, [row("2:a", balance=0)]),
        period("three", oct_two, [row("3:a")]),
        period("four", date(2024, 7, 15), [row("4:a", workout="7")]),
        period("four", aug, [row("4:a")]),
    )
    store = Store(tmp_path / "store", rescorer=RulesRescorer())
    with store.lease() as source:
        found = source.changes(ChangeQuery())
        assert (found.since, found.until) == (sep_two, oct_two)
        assert [(one.kind, one.loans) for one in found.counts] == [("workout", 1), ("paid_off", 1)]
        assert found.compared == 3
        assert found.not_compared == ("Book of three",)
        assert found.silent == (("Book of four", aug),)
        assert [(one.title, one.since, one.until) for one in found.spans] == [
            ("Book of one", sep, oct_), ("Book of two", sep_two, oct_two),
        ]  # fmt: skip
        assert remarks(found)[:3] == (
            "No filing at or before 17 Sep 2024: Book of three.",
            "Nothing was filed after 17 Sep 2024 by: Book of four (last 15 Aug 2024).",
            (
                "Compared by the filings nearest to the two dates: Book of one from 11 Sep 2024"
                " to 11 Oct 2024."
            ),
        )
        newest = source.newest_changes()
        assert (newest.since, newest.until, newest.counts) == (sep_two, oct_two, found.counts)
        # By two dates of its own a deal that filed between them alone is compared.
        found = source.changes(ChangeQuery(since=oct_, until=oct_two))
        assert (found.compared, found.silent) == (1, (("Book of four", aug), ("Book of one", oct_)))
        deals = source.trends(TrendQuery()).deals
        assert [(f"{one.month:%b}", one.deals, one.of_deals, one.missing) for one in deals] == [
            ("Jul", 1, 1, ()), ("Aug", 1, 1, ()), ("Sep", 2, 3, ("Book of four",)),
            ("Oct", 3, 4, ("Book of four",)),
        ]  # fmt: skip
    store.close()
