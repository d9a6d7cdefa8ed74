"""Tenants and leases of a genuine filing, typed by hand: UBS 2017-C1 of June 2024 (D268).

As of 11 June 2024. Record 10 is the sum of notes 10A and 10B; each of the three lists the leases.
"""

from datetime import date

import pytest

from services.contract.errors import InvalidRequest
from services.contract.loan_filter import LoanFilter
from services.contract.queries import parse
from services.contract.tenants import TenantFilter
from services.importers import sec_absee
from services.importers.cmbs.tenants import lets_to_none
from services.store.leases import Store
from tests.genuine import SEVEN_YEARS
from tests.publishing import load_once


@pytest.fixture(scope="module")
def ubs(tmp_path_factory):
    if not SEVEN_YEARS:
        pytest.skip("the folder of public data does not lie beside the project")
    folder = tmp_path_factory.mktemp("ubs") / "store"
    load_once(folder, sec_absee.portfolio(SEVEN_YEARS[-1:]))
    with Store(folder).lease() as source:
        yield source


def numbers(source, **asked):
    found = source.loans_found(parse(LoanFilter, asked), ()).items
    return [one.loan_number.removeprefix("UBS 2017-C1:") for one in found]


def tenant(source, named, **asked):
    (found,) = source.tenants(TenantFilter(tenant=named, **asked)).items
    return found


def test_a_lease_that_three_records_list_is_one_of_one_loan(ubs):
    found = tenant(ubs, "general services")
    assert (found.tenant, found.leases, found.loans) == ("General Services Administration", 1, 1)
    assert (found.square_feet, found.expires) == (30_426, date(2027, 11, 20))
    assert found.book_value == 9_155_659 + 4_577_830
    (lease,) = ubs.tenancies(TenantFilter(tenant="general services")).items
    assert (lease.loan_number, lease.book_value) == ("UBS 2017-C1:10", found.book_value)
    assert lease.share == 30_426 / 689_778


def test_of_some_notes_the_lease_is_of_the_first_and_the_dollars_are_theirs(ubs):
    two = ("UBS 2017-C1:10B", "UBS 2017-C1:10")
    (lease,) = ubs.tenancies(TenantFilter(tenant="general services", numbers=two)).items
    assert (lease.loan_number, lease.book_value) == ("UBS 2017-C1:10", 4_577_830)


def test_a_tenant_of_two_loans(ubs):
    found = tenant(ubs, "petsmart")
    assert (found.leases, found.loans, found.square_feet) == (2, 2, 15_010 + 20_267)
    assert (found.expires, found.expired) == (date(2026, 1, 31), 0)
    # Whichever of its leases ends within the time asked for.
    soon = tenant(ubs, "petsmart", leases_within=24)
    assert (soon.leases, soon.square_feet) == (1, 20_267)


def test_what_ended_before_the_as_of_date_is_expired_and_has_no_next_end(ubs):
    found = tenant(ubs, "jasmine")
    assert (found.expires, found.expired) == (None, 1)
    (first, *_) = ubs.tenancies(TenantFilter()).items
    assert (first.tenant, first.expires) == ("Jasmine Foot Spa", date(2023, 10, 31))


def test_loans_that_owe_nothing_or_are_defeased_have_no_tenants(ubs):
    listed = {one.loan_number for one in ubs.tenancies(TenantFilter(per_page=100)).items}
    for number in ("14", "28", "29", "34", "5"):  # repaid, or defeased in full
        assert f"UBS 2017-C1:{number}" not in listed
        assert number not in numbers(ubs, tenant="a")


def test_loans_are_found_by_their_tenants_and_by_when_a_lease_ends(ubs):
    assert numbers(ubs, tenant="General Services") == ["10", "10A", "10B"]
    assert numbers(ubs, tenant="inspector general") == ["47"]
    assert numbers(ubs, tenant="general", leases_within="1") == ["47"]
    # One lease has to meet both: loan 31 has others, which end within the year.
    assert numbers(ubs, tenant="five below", leases_within="12") == []
    assert numbers(ubs, tenant="five below", leases_within="13") == ["31"]


def test_a_name_in_quotes_is_the_whole_name(ubs):
    assert numbers(ubs, tenant='"General Motors"') == ["2"]
    assert numbers(ubs, tenant='"GENERAL  motors."') == ["2"]
    assert numbers(ubs, tenant='"General"') == []
    assert numbers(ubs, tenant='"') == numbers(ubs, tenant="???")  # no word to look for


@pytest.mark.parametrize("name", ["VACANT", "N.A.P.", "Not Applicable", "0", "-"])
def test_what_filers_write_where_no_tenant_is(name):
    assert lets_to_none(name)
    assert not lets_to_none(f"{name} Foods")


def test_an_order_that_is_none_is_refused():
    with pytest.raises(InvalidRequest, match="must be one of tenant, square_feet, expires"):
        parse(TenantFilter, {"order": "dscr"})
