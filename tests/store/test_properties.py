"""Points and cells of properties equal a count over the records one by one (D123 to D125)."""

import math
from collections import Counter, defaultdict

import pytest

from services.contract import cells
from services.contract.loan_filter import LoanFilter
from services.contract.paging import every
from services.contract.properties import PropertyFilter
from services.importers import demo
from services.places import gazetteer
from services.store.leases import Store
from tests.every_loan import every_loan
from tests.publishing import load, load_once

QUERIES = [
    {},
    {"state": ("TX", "CA")},
    {"severity": ("critical", "severe")},
    {"property_type": ("office",), "min_balance": 10_000_000},
    {"find": "CA-0003"},
    {"state": ("GU",)},
]
SIZES = ("wide", "middle", "fine")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("properties")
    load_once(folder, [demo.portfolio(loans=900)])
    return folder


@pytest.fixture(scope="module")
def raw(source):
    """Every property as the tables have it, with its position and part, in plain Python."""
    of = "loan_id, loan_number, book_value, worst_severity::VARCHAR"
    asked = source.reader.rows(f"SELECT {of} FROM loans JOIN screened USING (loan_id)")
    loans = {row[0]: row[1:] for row in asked}
    rows = source.reader.rows(
        "SELECT loan_id, city, state, zip, value FROM properties ORDER BY rowid"
    )
    of_loan = defaultdict(list)
    for loan, *row in rows:
        of_loan[loan].append(row)
    listed = []
    for loan, parts in sorted(of_loan.items()):
        number, book, worst = loans[loan]
        values = [part[3] for part in parts]
        if None in values or sum(values) <= 0:
            values = [1] * len(parts)
        before = 0
        for at, (city, state, code, _) in enumerate(parts):
            upto = round((book or 0) * (sum(values[: at + 1]) / sum(values)))
            by_zip, by_city = gazetteer.zip_code(code, state), gazetteer.city(city, state)
            listed.append(
                {
                    "loan": number,
                    "dollars": upto - before,
                    "bad": worst in {"severe", "critical"},
                    "at": by_zip or by_city,
                    "kind": "zip" if by_zip else "city" if by_city else "none",
                }
            )
            before = upto
    return listed


def matching(raw, source, query):
    numbers = {one.loan_number for one in every_loan(source, **query)}
    return [one for one in raw if one["loan"] in numbers]


def nearest(place, size):
    """The cell whose middle is nearest on the map: tried one by one around."""
    latitude, longitude = place
    radius = cells.SIZES[size]
    x, y = longitude, cells.on_map(latitude)
    row = round(y / (1.5 * radius))
    tried = []
    for r in range(row - 1, row + 2):
        column = round(x / (math.sqrt(3) * radius) - r / 2)
        for c in range(column - 1, column + 2):
            middle = (radius * math.sqrt(3) * (c + r / 2), radius * 1.5 * r)
            tried.append((math.dist((x, y), middle), cells.name(size, c, r)))
    return min(tried)[1]


@pytest.mark.parametrize("query", QUERIES, ids=str)
def test_totals_and_kinds_of_position(query, source, raw):
    found = source.property_totals(PropertyFilter(**query))
    rows = matching(raw, source, query)
    assert found.properties == len(rows)
    assert found.loans == len({row["loan"] for row in rows})
    assert found.dollars == sum(row["dollars"] for row in rows)
    kinds = Counter(row["kind"] for row in rows)
    assert found.positions == {kind: kinds[kind] for kind in ("source", "zip", "city", "none")}
    assert found.dollars == source.loan_totals(LoanFilter(**query)).book_value


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("query", QUERIES, ids=str)
def test_cells_have_the_properties_that_lie_in_them(query, size, source, raw):
    found = source.property_cells(PropertyFilter(**query), size, 3_000)
    assert found.resolution == size
    wanted = defaultdict(lambda: [0, set(), 0, 0])
    for row in matching(raw, source, query):
        if row["at"]:
            sums = wanted[nearest(row["at"], size)]
            sums[0] += 1
            sums[1].add(row["loan"])
            sums[2] += row["dollars"]
            sums[3] += row["dollars"] * row["bad"]
    assert {one.cell: [one.properties, one.loans, one.dollars, one.bad_dollars]
            for one in found.cells} == {
        cell: [number, len(loans), dollars, bad]
        for cell, (number, loans, dollars, bad) in wanted.items()
    }  # fmt: skip
    assert [one.dollars for one in found.cells] == sorted(
        (one.dollars for one in found.cells), reverse=True
    )


def test_no_more_cells_than_asked_for(source):
    fine = source.property_cells(PropertyFilter(), "fine", 3_000)
    wide = source.property_cells(PropertyFilter(), "wide", 3_000)
    assert source.property_cells(PropertyFilter(), "fine", fine.total - 1).resolution == "middle"
    least = source.property_cells(PropertyFilter(), "fine", 5)
    assert (least.resolution, least.total, least.cells) == ("wide", wide.total, wide.cells[:5])


def test_a_cell_asked_for_holds_what_the_cells_say(source):
    for one in source.property_cells(PropertyFilter(), "middle", 3_000).cells[:20]:
        found = source.property_totals(PropertyFilter(cell=one.cell))
        assert (found.properties, found.loans, found.dollars) == (
            one.properties,
            one.loans,
            one.dollars,
        )


def raw_dscr(source, number):
    (one,) = source.loans_found(LoanFilter(numbers=(number,)), ("dscr",)).items
    return one.values["dscr"]


@pytest.mark.parametrize("query", QUERIES, ids=str)
def test_points_list_and_export_are_the_same_properties(query, source, raw):
    asked = PropertyFilter(per_page=100, **query)
    rows = matching(raw, source, query)
    points = source.property_points(asked, 20_000).to_pylist()
    listed = list(every(source.properties_found, asked))
    taken = [row for batch in source.property_batches(asked) for row in batch.to_pylist()]
    wanted = Counter((row["loan"], row["dollars"], row["kind"]) for row in rows)
    assert Counter((one.loan_number, one.dollars, one.position) for one in listed) == wanted
    assert [(row["loan_number"], row["dollars"]) for row in taken] == [
        (one.loan_number, one.dollars) for one in listed
    ]
    assert Counter((row["loan_number"], row["dollars"]) for row in points) == Counter(
        (row["loan"], row["dollars"]) for row in rows if row["at"]
    )
    said = ("property_name", "city", "state")
    assert Counter(
        tuple(row[name] for name in ("loan_number", *said)) for row in points
    ) == Counter(
        (one.loan_number, *(getattr(one, name) for name in said))
        for one in listed
        if one.position != "none"
    )
    assert all(row["dscr"] == raw_dscr(source, row["loan_number"]) for row in points[:20])
    exact = Counter((round(row["at"][0], 3), round(row["at"][1], 3)) for row in rows if row["at"])
    assert exact == Counter(
        (round(row["latitude"], 3), round(row["longitude"], 3))
        for row in taken
        if row["latitude"] is not None
    )


def test_points_of_one_position_stand_apart_and_near(source):
    whole = source.property_points(PropertyFilter(), 20_000).to_pylist()
    places = [(row["longitude"], row["latitude"]) for row in whole]
    assert len(set(places)) > 0.99 * len(places)
    some = source.property_points(PropertyFilter(state=("TX",)), 20_000).to_pylist()
    assert {(row["longitude"], row["latitude"]) for row in some} <= set(places)


def test_the_largest_come_first_and_no_more_than_asked_for(source):
    found = source.property_points(PropertyFilter(), 10).column("dollars").to_pylist()
    assert found == sorted(found, reverse=True)
    assert len(found) == 10
    assert found[0] == source.properties_found(PropertyFilter()).items[0].dollars


@pytest.mark.parametrize("query", [{}, {"state": ("TX",)}, {"loan": "CA-000012"}], ids=str)
def test_the_middle_is_weighted_by_dollars(query, source):
    """On the globe: where the sum of all properties' vectors points (D133)."""
    rows = source.property_points(PropertyFilter(**query), 20_000).to_pylist()
    found = source.property_middle(PropertyFilter(**query))
    sums = [0.0, 0.0, 0.0]
    for row in rows:
        x, y = math.radians(row["longitude"]), math.radians(row["latitude"])
        vector = (math.cos(y) * math.cos(x), math.cos(y) * math.sin(x), math.sin(y))
        sums = [one + row["dollars"] * part for one, part in zip(sums, vector, strict=True)]
    length = math.hypot(*sums)
    wanted = math.atan2(sums[1], sums[0]), math.asin(sums[2] / length)
    # Points stand up to a tenth of a degree around the positions that are weighed.
    assert found == pytest.approx([math.degrees(one) for one in wanted], abs=0.1)


def test_without_a_position_there_is_no_middle(source):
    assert source.property_middle(PropertyFilter(state=("GU",))) is None


def test_a_loan_without_properties_stands_in_its_own_city(tmp_path):
    portfolio = demo.portfolio(loans=30)
    object.__setattr__(portfolio, "properties", portfolio.properties.slice(0, 0))
    load(tmp_path, [portfolio])
    store = Store(tmp_path)
    with store.lease() as source:
        totals = source.property_totals(PropertyFilter())
        assert (totals.properties, totals.positions["zip"]) == (30, 0)
        assert totals.positions["city"] > 20
        one = source.properties_found(PropertyFilter()).items[0]
        assert source.loan(one.loan_number).property_city == one.city
    store.close()
