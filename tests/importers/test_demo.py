"""The demonstration portfolio: deterministic, whole, and with the figures of a real book."""

import json
from collections import defaultdict
from datetime import date

import numpy as np
import pyarrow.compute as pc
import pytest

from services.contract.errors import InvalidRequest
from services.contract.portfolio import TABLES
from services.contract.schedule_al import PROPERTY_TYPES
from services.contract.vocabulary import LAYER_KINDS, POSITIONS, STATES, TIERS
from services.importers.demo import portfolio

AS_OF = date(2026, 9, 30)
TERRITORIES = {"AS", "GU", "MP", "PR", "VI"}


def share_null(table, column):
    return table.column(column).null_count / table.num_rows


def test_the_same_arguments_give_the_same_bytes():
    one, other = portfolio(loans=700, seed=3), portfolio(loans=700, seed=3)
    for name in TABLES:
        first, second = getattr(one, name), getattr(other, name)
        assert first.equals(second)
        assert [b for c in first.columns for k in c.chunks for b in k.buffers()] == [
            b for c in second.columns for k in c.chunks for b in k.buffers()
        ]


def test_another_seed_gives_another_portfolio():
    one, other = portfolio(loans=200, seed=1), portfolio(loans=200, seed=2)
    assert not one.loans.equals(other.loans)
    assert not one.entities.equals(other.entities)


@pytest.mark.parametrize("count", [1, 2, 3, 17, 60])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_small_portfolios_are_whole_too(count, seed):
    made = portfolio(loans=count, seed=seed)
    assert made.loans.num_rows == made.info.records_read == count
    assert_refers_only_to_what_is_there(made)


@pytest.mark.parametrize(
    ("wrong", "parameter"),
    [
        ({"loans": 0}, "loans"),
        ({"loans": 2_000_001}, "loans"),
        ({"seed": -1}, "seed"),
        ({"as_of": date(2011, 12, 31)}, "as_of"),
        ({"as_of": date(2036, 1, 1)}, "as_of"),
    ],
)
def test_arguments_out_of_bounds_are_refused_with_a_sentence(wrong, parameter):
    with pytest.raises(InvalidRequest, match=r"^(A|The) demon?.*\.$|^The seed.*\.$") as refused:
        portfolio(**wrong)
    assert refused.value.parameter == parameter


@pytest.mark.parametrize("as_of", [date(2012, 1, 1), date(2019, 2, 28), date(2035, 12, 31)])
def test_any_day_within_bounds_works(as_of):
    made = portfolio(loans=300, as_of=as_of)
    made_on = made.loans.column("origination_date")
    assert pc.max(made_on).as_py() <= as_of
    assert pc.min(made_on).as_py() >= date(2010, 1, 1)
    assert pc.min(made.loans.column("original_amount")).as_py() > 0
    ends = made.loans.column("income_to").drop_null()
    assert pc.max(ends).as_py() < as_of


def test_tables_follow_the_contract(demo):
    for name, schema in TABLES.items():
        table = getattr(demo, name)
        assert table.schema.equals(schema)
        table.validate(full=True)
        for spec in schema:
            assert spec.nullable or table.column(spec.name).null_count == 0
    assert (demo.info.key, demo.info.importer, demo.info.provenance) == (
        "demo",
        "demo",
        "synthetic",
    )
    assert demo.info.as_of == AS_OF
    assert demo.rejects.num_rows == 0


def assert_refers_only_to_what_is_there(made):
    count, parties = made.loans.num_rows, made.entities.num_rows
    for table, column, rows in [
        (made.layers, "loan", count),
        (made.properties, "loan", count),
        (made.leases, "loan", count),
        (made.edges, "from_loan", count),
        (made.edges, "from_entity", parties),
        (made.edges, "to_entity", parties),
    ]:
        values = table.column(column).drop_null().to_numpy()
        assert ((values >= 0) & (values < rows)).all()
    both = made.edges.column("from_loan").is_valid().to_numpy()
    assert (both ^ made.edges.column("from_entity").is_valid().to_numpy()).all()
    assert set(made.layers.column("loan").to_pylist()) == set(range(count))
    assert set(made.properties.column("loan").to_pylist()) == set(range(count))
    names = set(made.entities.column("entity_name").to_pylist())
    assert len(names) == parties  # D30
    assert set(made.layers.column("lender").to_pylist()) <= names
    assert set(made.layers.column("servicer").drop_null().to_pylist()) <= names
    numbers = made.loans.column("loan_number").to_pylist()
    assert numbers == sorted(set(numbers))


def test_references_names_and_numbers_hold(demo):
    assert_refers_only_to_what_is_there(demo)
    assert demo.loans.column("loan_number")[122].as_py() == "CA-000123"
    # Neither a party nor a tie twice.
    ties = demo.edges.select(["from_loan", "from_entity", "to_entity", "relation"]).to_pylist()
    assert len({tuple(tie.values()) for tie in ties}) == len(ties)


def test_every_state_and_known_words_only(demo, loans):
    assert {loan["property_state"] for loan in loans} == set(STATES) - TERRITORIES
    assert {loan["property_type"] for loan in loans} <= set(PROPERTY_TYPES.values())
    assert set(demo.layers.column("layer").to_pylist()) == set(LAYER_KINDS)
    assert set(demo.layers.column("position").to_pylist()) == set(POSITIONS)
    assert {loan["confidence_tier"] for loan in loans} == {None, *TIERS}
    assert {loan["payment_status"] for loan in loans} == {None, *"0AB12345"}
    assert {loan["structure"] for loan in loans} == {"WL", "PP", "A1"}


def test_what_is_missing_is_null_and_never_zero(demo, loans):
    for column in ("interest_rate", "maturity_date", "value", "occupancy"):
        assert 0.015 < share_null(demo.loans, column) < 0.035
    assert 0.20 < share_null(demo.loans, "dscr") < 0.28
    assert share_null(demo.loans, "book_value") == 0
    for table in (demo.loans, demo.properties, demo.layers):
        for name in ("original_amount", "interest_rate", "value", "occupancy", "monthly_payment"):
            if name in table.column_names:
                assert pc.min(table.column(name)).as_py() > 0, name
    # Nothing is owed only where a loan was paid off, and income is never exactly 0.
    paid_off = [loan for loan in loans if loan["book_value"] == 0]
    assert 5 < len(paid_off) < 50
    assert {loan["monthly_payment"] for loan in paid_off} == {None}
    assert not any(0 in (loan["noi"], loan["ncf"]) for loan in loans)


@pytest.mark.tools
def test_sizes_and_dates_are_those_of_a_real_book(demo, loans):
    book = np.array([loan["book_value"] for loan in loans])
    assert 6e6 < np.median(book) < 10e6
    assert 150e6 < book.max() < 900e6
    past = [loan for loan in loans if loan["maturity_date"] and loan["maturity_date"] < AS_OF]
    assert 0.015 < len(past) / len(loans) < 0.05
    assert {loan["payment_status"] for loan in past} <= {None, "4", "5"}
    assert not any(
        loan["payment_status"] in {"4", "5"}
        for loan in loans
        if loan["maturity_date"] and loan["maturity_date"] >= AS_OF
    )
    lenders = pc.value_counts(demo.loans.column("lender_normalized")).field("counts").to_numpy()
    assert 25 <= len(lenders) <= 60
    assert 0.03 < lenders.max() / len(loans) < 0.12


@pytest.mark.tools
def test_coupons_are_those_of_their_years(loans):
    by_year = defaultdict(list)
    for loan in loans:
        if loan["interest_rate"] and loan["origination_date"]:
            by_year[loan["origination_date"].year].append(loan["interest_rate"])
    typical = {year: float(np.median(rates)) for year, rates in by_year.items()}
    assert typical[2020] < typical[2019] < typical[2023]
    assert typical[2021] < 4.0
    assert typical[2024] > 5.5
    assert all(
        abs(rate / 0.005 - round(rate / 0.005)) < 1e-6 for year in by_year.values() for rate in year
    )


@pytest.mark.tools
def test_split_notes_hold_part_of_what_their_income_carries(loans):
    # D22: naive coverage of the part is far above the reported one.
    notes = [
        loan
        for loan in loans
        if loan["structure"] == "PP" and loan["underwritten_dscr"] and loan["interest_rate"]
    ]
    assert len(notes) > 20
    for loan in notes:
        implied = (loan["underwritten_ncf"] or loan["underwritten_noi"]) / loan["underwritten_dscr"]
        assert implied > 1.2 * loan["original_amount"] * loan["interest_rate"] / 100


@pytest.mark.tools
def test_trouble_goes_with_weak_coverage_and_with_office(loans):
    def late(group):
        return np.mean([loan["payment_status"] in {"B", "1", "2", "3", "5"} for loan in group])

    told = [loan for loan in loans if loan["dscr"] is not None]
    weak = [loan for loan in told if loan["dscr"] < 1]
    sound = [loan for loan in told if loan["dscr"] > 1.25]
    assert late(weak) > 3 * late(sound)

    def coverage(kind):
        return np.median([loan["dscr"] for loan in told if loan["property_type"] == kind])

    assert coverage("office") < coverage("industrial")


def test_the_first_property_is_the_most_valuable_and_gives_the_loan_its_place(demo, loans):
    behind = defaultdict(list)
    for row in demo.properties.to_pylist():
        behind[row["loan"]].append(row)
    assert sum(len(rows) == 1 for rows in behind.values()) >= 0.93 * len(loans)
    assert max(len(rows) for rows in behind.values()) <= 8
    for number, loan in enumerate(loans):
        first, rows = behind[number][0], behind[number]
        assert (first["city"], first["state"]) == (loan["property_city"], loan["property_state"])
        assert first["address"] == loan["address"]
        assert loan["multi_state"] == (len({row["state"] for row in rows}) > 1)
        if loan["value"] is None:
            assert all(row["value"] is None for row in rows)
        else:
            assert sum(row["value"] for row in rows) == loan["value"]
            assert first["value"] == max(row["value"] for row in rows)
        if loan["noi"] is not None:
            assert sum(row["noi"] for row in rows) == loan["noi"]


def test_progress_is_told_in_sentences_from_nothing_to_all():
    told = []
    portfolio(loans=20, progress=lambda stage, done: told.append((stage, done)))
    fractions = [done for _, done in told]
    assert fractions == sorted(fractions)
    assert (fractions[0], fractions[-1]) == (0.0, 1.0)
    assert all(stage.endswith(".") for stage, _ in told)


def test_the_further_column_is_null_or_json(demo):
    further = demo.loans.column("further").drop_null().to_pylist()
    assert all(isinstance(json.loads(text), dict) for text in further)
