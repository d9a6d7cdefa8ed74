"""Files of a CREFC reporting package as loans, by made-up files against facts typed by hand
(D192 to D195).
"""

import json
from datetime import date

import pytest

from services.contract.errors import ImportRefused
from services.importers.crefc_irp import histories, package
from tests.irp_files import (
    WATCHLIST,
    cells,
    line_row,
    periodic_row,
    property_row,
    setup_row,
    text,
    workbook,
)


def read(*paths, **options):
    """The one portfolio of these files."""
    (filing,) = histories(paths, **options)
    return filing.read()


def loans(portfolio):
    """Rows by the number within the deal, further fields read."""
    return {
        row["loan_number"].rpartition(":")[2]: {**row, "further": json.loads(row["further"])}
        for row in portfolio.loans.to_pylist()
    }


def has(row, typed):
    """Whether a row has these values; says which it has instead."""
    assert {name: row[name] for name in typed} == typed


@pytest.fixture
def deal(tmp_path):
    """The five files of one deal at one date, all but the watchlist without a header."""
    folder = tmp_path / "made"
    folder.mkdir()
    workbook(folder / "a_setup.xlsx", cells("setup", setup_row(1), setup_row(2)))
    text(folder / "b_periodic.csv", cells("periodic", periodic_row(1), periodic_row(2)))
    workbook(folder / "c_property.xlsx", cells("property", property_row(1), property_row(2)))
    lines = [line_row(1, "010GROSRNT", 1_900_000), line_row(1, "310RETAXES", 250_000.5)]
    text(folder / "d_financial.txt", cells("financial", *lines), "\t")
    workbook(folder / "e_watchlist.xlsx", WATCHLIST)
    return folder


def test_five_files_of_a_deal_make_one_record_a_loan(deal):
    found = read(deal)
    assert found.info.key == "crefc-irp:MADE18X1"
    assert found.info.as_of == date(2019, 6, 12)
    assert found.info.records_read == 2 + 2 + 2 + 2 + 1
    assert len(found.info.sha256) == 5
    assert found.info.unmapped == {"Reviewed by": 1}
    assert found.rejects.num_rows == 0
    assert found.properties.num_rows == 2
    one = loans(found)["1"]
    has(
        one,
        {
            "book_value": 11_784_111,
            "interest_rate": 4.75,
            "property_type": "office",
            "property_city": "HOBOKEN",
            "property_state": "NJ",
            "property_name": "Harbour Mill",
            "lender_normalized": "Barclays Bank",
            "origination_date": date(2018, 5, 25),
            "maturity_date": date(2028, 6, 6),
            "original_amount": 12_000_000,
            "monthly_payment": 62_598,
            "value": 20_000_000,
            "value_date": date(2018, 5, 1),
            "dscr": 1.8105,
            "noi": 1_460_000,  # 360,000 of 90 days, a year of it
            "income_basis": "NCF, 1 Jan to 31 Mar 2019, 3 months, annualised",
            "underwritten_dscr": 1.86,
            "occupancy": 0.88,
            "underwritten_occupancy": 0.93,
            "payment_status": "0",
            "structure": "WL",
            "disposition": "outstanding",
            "watchlist_since": date(2019, 5, 6),
            "watchlist_triggers": "1E | 1F",
            "watchlist_comment": "Largest tenant gave notice.\n\n6/1/2019: Leasing is under way.",
            "watchlist_as_of": date(2019, 6, 8),
        },
    )
    assert loans(found)["2"]["watchlist_comment"] is None
    further = one["further"]
    assert further["balance_basis"] == "scheduled_balance_at_period_end"
    assert further["actual_balance_at_period_end"] == 11_800_000
    statement = "operating_statement_1-001 underwriting normalized 2018-04-01 to 2018-05-31"
    assert further[statement] == {"gross potential rent": 1_900_000, "real estate taxes": 250000.5}
    assert "watchlist_comment" not in further
    assert not any("comment" in key for key in further)
    building = found.properties.to_pylist()[0]
    assert (
        building.items()
        >= {
            "address": "1 QUAY",
            "zip": "07030",  # the cell is the number 7030
            "county": None,
            "year_built": 1921,
            "size": 88_000.0,
            "occupancy": 0.88,  # of the loan's only property
        }.items()
    )
    assert {row["entity_name"] for row in found.entities.to_pylist()} == {
        *("MADE18X1", "Barclays Bank", "Wells Fargo Bank"),
    }


def test_files_make_the_same_whichever_way_they_come(deal):
    together = read(deal)
    names = sorted(deal.iterdir(), reverse=True)
    assert read(*names).loans == together.loans
    # One after the other: what came before is given by what keeps it.
    kept = []
    for path in names:
        brought = package([path], as_of=date(2019, 6, 1), earlier=lambda _: list(kept))
        kept.append((path, False))
    (last,) = brought.filings
    assert last.read().loans == together.loans
    assert brought.files == {"MADE18X1": [names[-1]]}


def test_months_of_a_deal_are_periods_with_what_was_known_by_then(tmp_path):
    setup = workbook(tmp_path / "setup.xlsx", cells("setup", setup_row(1)))
    months = [
        text(tmp_path / f"{day}.csv", cells("periodic", periodic_row(1, day)))
        for day in (20190712, 20190612, 20190510)
    ]
    watch = workbook(tmp_path / "watchlist.xlsx", WATCHLIST)
    found = [filing.read() for filing in histories([setup, *months, watch])]
    assert [one.info.as_of for one in found] == [
        *(date(2019, 5, 10), date(2019, 6, 12), date(2019, 7, 12)),
    ]
    assert [loans(one)["1"]["watchlist_as_of"] for one in found] == [
        *(None, date(2019, 6, 8), date(2019, 6, 8)),
    ]
    assert {loans(one)["1"]["original_amount"] for one in found} == {12_000_000}
    # A file that is there already makes no period again.
    later = package(months[:1], earlier=lambda _: [(one, False) for one in (setup, *months[1:])])
    assert [one.read().info.as_of for one in later.filings] == [date(2019, 7, 12)]


def test_a_setup_alone_states_no_date(tmp_path):
    path = workbook(tmp_path / "setup.xlsx", cells("setup", setup_row(1)))
    with pytest.raises(ImportRefused, match=r"No file of MADE18X1 states a date \(setup.xlsx\)"):
        histories([path])
    found = read(path, as_of=date(2018, 6, 30))
    row = loans(found)["1"]
    assert (row["book_value"], row["dscr"]) == (11_950_001, 1.86)
    assert row["income_basis"] == "NCF, underwritten"
    assert row["maturity_date"] == date(2028, 6, 6)
    assert found.properties.num_rows == 1


def test_a_loan_that_the_periodic_file_has_no_more_is_rejected(tmp_path):
    setup = workbook(tmp_path / "s.xlsx", cells("setup", setup_row(1), setup_row(2)))
    periodic = workbook(tmp_path / "p.xlsx", cells("periodic", periodic_row(1), periodic_row(1)))
    places = workbook(tmp_path / "q.xlsx", cells("property", property_row(1), property_row(7)))
    found = read(setup, periodic, places)
    assert list(loans(found)) == ["1"]
    assert found.rejects.to_pylist() == [
        {
            "record": "row 2 of p.xlsx",
            "reason": "Its Prospectus Loan ID was there before.",
        },
        {
            "record": "row 2 of s.xlsx",
            "reason": "The Loan Periodic Update has this loan no more.",
        },
        {
            "record": "row 2 of q.xlsx",
            "reason": "No loan of the deal has its prospectus loan id.",
        },
    ]


def test_codes_and_figures_that_cannot_be_are_rejected_or_kept_as_they_are(tmp_path):
    rows = [
        periodic_row(1, **{"Current Note Rate": 4.75}),
        periodic_row(2, **{"Most Recent Physical Occupancy": 88}),
        periodic_row(3, **{"Distribution Date": None}),
        *(periodic_row(number) for number in range(4, 40)),
    ]
    path = workbook(tmp_path / "p.xlsx", cells("periodic", *rows))
    found = read(path)
    assert found.rejects.to_pylist() == [
        {
            "record": "row 1 of p.xlsx",
            "reason": 'Current Note Rate "4.75" is not a rate written as a fraction from 0 to 0.5.',
        },
        {"record": "row 3 of p.xlsx", "reason": "It has no Distribution Date."},
    ]
    assert found.info.unmapped == {"Most Recent Physical Occupancy (unreadable)": 1}
    assert loans(found)["2"]["occupancy"] is None
    assert loans(found)["2"]["further"]["most_recent_occupancy"] == "88"
    assert found.info.records_read == 39


def test_a_status_that_schedule_al_lacks_is_the_one_that_holds_it(tmp_path):
    late = periodic_row(1, **{"Payment Status of Loan": 6, "Workout Strategy": 3})
    row = loans(read(workbook(tmp_path / "p.xlsx", cells("periodic", late))))["1"]
    assert (row["payment_status"], row["workout"]) == ("3", "3")
    assert row["further"]["payment_status_as_reported"] == "6: 121 or more days delinquent"
    assert row["further"]["workout_strategies"] == ["bankruptcy"]


def test_without_a_recent_statement_the_preceding_year_counts(tmp_path):
    silent = {name: None for name in periodic_row(1) if name.startswith("Most Recent ")}
    row = loans(read(workbook(tmp_path / "p.xlsx", cells("periodic", periodic_row(1, **silent)))))
    assert row["1"]["income_basis"] == "NOI, 1 Jan to 31 Dec 2018, 12 months"
    assert (row["1"]["noi"], row["1"]["dscr"]) == (1_480_000, 1.97)
    assert "the preceding fiscal year" in row["1"]["further"]["income_is_of"]


def test_amounts_that_were_annualised_are_not_again(tmp_path):
    annual = periodic_row(1, **{"Most Recent Financial Indicator": "YA", "Most Recent NOI": 1.5e6})
    row = loans(read(workbook(tmp_path / "p.xlsx", cells("periodic", annual))))["1"]
    assert row["noi"] == 1_500_000
    assert row["income_basis"].endswith("3 months, amounts of a year")


@pytest.mark.parametrize(
    ("further", "why"),
    [
        ({"Lead Transaction ID": "OTHER18A"}, "implied: its lead transaction is OTHER18A"),
        (
            {"Most Recent Debt Service Amount": 187_793.04 * 2.5},
            "implied: the statement's debt service is 2.5 times its own",
        ),
        ({"Lead Transaction ID": "MADE18X1"}, None),
    ],
)
def test_a_part_of_a_larger_loan_is_not_held_against_the_whole_value(tmp_path, further, why):
    """Without a Loan Setup nothing states the structure (D194)."""
    rows = cells("periodic", periodic_row(1, **further))
    row = loans(read(workbook(tmp_path / "p.xlsx", rows)))["1"]
    assert row["structure"] == ("PP" if why else None)
    assert row["further"].get("loan_structure_is") == why


def test_a_watchlist_alone_is_its_loans(tmp_path):
    found = read(workbook(tmp_path / "w.xlsx", WATCHLIST))
    row = loans(found)["1"]
    assert (found.info.as_of, row["book_value"]) == (date(2019, 6, 8), 11_784_111)
    assert (row["property_city"], row["property_state"]) == (None, "NJ")
    assert row["dscr"] is None


def test_each_transaction_id_is_a_deal_unless_it_is_named(tmp_path):
    other = periodic_row(2, **{"Transaction ID": "MDE18X1"})
    path = workbook(tmp_path / "p.xlsx", cells("periodic", periodic_row(1), other))
    assert [one.source for one in histories([path])] == [
        *("crefc-irp:MADE18X1", "crefc-irp:MDE18X1"),
    ]
    named = read(path, deal="MADE 2018-X1")
    assert [row["loan_number"] for row in named.loans.to_pylist()] == [
        *("MADE 2018-X1:1", "MADE 2018-X1:2"),
    ]


def test_two_setups_of_which_neither_is_later_are_refused(tmp_path):
    one = workbook(tmp_path / "one.xlsx", cells("setup", setup_row(1)))
    two = workbook(tmp_path / "two.xlsx", cells("setup", setup_row(1, **{"Recourse (Y/N)": "Y"})))
    with pytest.raises(ImportRefused, match=r"one.xlsx, two.xlsx are Loan Setup files of MADE18X1"):
        histories([one, two], as_of=date(2019, 1, 1))
    later = setup_row(1, **{"Last Setup Change Date": 20190101, "Grace Days Allowed": 5})
    three = workbook(tmp_path / "three.xlsx", cells("setup", later))
    row = loans(read(one, two, three, as_of=date(2019, 2, 1)))["1"]
    assert row["further"]["grace_days"] == 5


def test_parties_say_which_file_names_them(tmp_path):
    """Each tie has the file, record and column that states it (D200)."""
    tenant = {"Largest Tenant": "Acme Corp", "Square Feet of Largest Tenant": 22_000}
    tenant["Date of Lease Expiration of Largest Tenant"] = 20240131
    found = read(
        workbook(tmp_path / "s.xlsx", cells("setup", setup_row(1))),
        workbook(tmp_path / "p.xlsx", cells("periodic", periodic_row(1))),
        workbook(tmp_path / "q.xlsx", cells("property", property_row(1, **tenant))),
    )
    names = found.entities["entity_name"].to_pylist()
    edges = found.edges.to_pylist()
    said = {
        (edges[one["edge"]]["relation"], names[edges[one["edge"]]["to_entity"]]): (
            *(one["method"], one["file"], one["record"], one["element"]),
        )
        for one in found.witnesses.to_pylist()
    }
    method = "stated in the filing"
    assert said == {
        ("capital_source", "MADE18X1"): (method, "s.xlsx", "loan 1", None),
        ("originator", "Barclays Bank"): (
            *(method, "s.xlsx", "loan 1", "Loan Contributor to Securitization"),
        ),
        ("servicer", "Wells Fargo Bank"): (method, "p.xlsx", "loan 1", "Master Servicer"),
        ("tenant", "Acme Corp"): (method, "q.xlsx", "loan 1-001", "Largest Tenant"),
    }
    assert found.leases.to_pylist() == [
        {
            "loan": 0,
            "tenant": "Acme Corp",
            "square_feet": 22_000,
            "expires": date(2024, 1, 31),
        }
    ]
