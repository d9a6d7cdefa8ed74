"""Files of a deal over several imports, as a user gives them (D195), and one trust from two sources
(D193).
"""

import sys
from datetime import date

import pyarrow as pa
import pytest

from services import cli
from services.contract.errors import ImportRefused
from services.contract.portfolio import LOANS, shaped
from services.importers import sec_absee
from services.importers.crefc_irp import histories
from services.names.trusts import same_trust
from services.store.leases import Store
from tests.filed_endings import LAST_PERIOD, write
from tests.irp_files import WATCHLIST, cells, periodic_row, property_row, setup_row, text, workbook
from tests.publishing import load


@pytest.fixture
def told(monkeypatch, capsys, tmp_path):
    """Runs the import; gives its exit code and what it said."""

    def run(*words):
        given = ["creditatlas", "import", "crefc-irp", *map(str, words)]
        monkeypatch.setattr(sys, "argv", [*given, "--store", str(tmp_path / "store")])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        return ended.value.code, out, err

    return run


def facts(store, number, *names):
    snapshots = Store(store)
    try:
        with snapshots.lease() as source:
            loan = source.loan(number)
            values = {"book_value": loan.book_value, **loan.extended}
            return [values[name] for name in names], source.periods()
    finally:
        snapshots.close()


def test_files_of_a_deal_join_over_several_imports(told, tmp_path):
    names = ("book_value", "original_amount", "watchlist_triggers", "watchlist_as_of")
    number = "MADE18X1:1"
    setup = workbook(tmp_path / "setup.xlsx", cells("setup", setup_row(1)))
    june = text(tmp_path / "june.csv", cells("periodic", periodic_row(1)))
    watch = workbook(tmp_path / "watch.xlsx", WATCHLIST)
    july = text(tmp_path / "july.csv", cells("periodic", periodic_row(1, 20190712)))

    code, out, err = told(setup, june)
    assert (code, err) == (0, "")
    assert "MADE18X1: 1 loan, 1 property, as of 12 Jun 2019" in out
    told(watch)
    found, periods = facts(tmp_path / "store", number, *names)
    assert found == [11_784_111, 12_000_000, "1E | 1F", "2019-06-08"]
    assert sorted((one.as_of, one.counts) for one in periods) == [
        *((date(2019, 6, 12), False), (date(2019, 6, 12), True)),
    ]
    setup.unlink()
    watch.unlink()  # what came before is kept, wherever it came from
    code, out, err = told(july)
    assert "as of 12 Jul 2019" in out
    found, periods = facts(tmp_path / "store", number, *names)
    assert found == [11_784_111, 12_000_000, "1E | 1F", "2019-06-08"]
    assert {one.as_of for one in periods if one.counts} == {date(2019, 6, 12), date(2019, 7, 12)}
    # The same file again changes nothing.
    code, out, err = told(july)
    assert "was there" in out
    assert facts(tmp_path / "store", number, *names)[0] == found


def test_a_deal_that_was_named_stays_one(told, tmp_path):
    first = text(tmp_path / "a.csv", cells("periodic", periodic_row(1)))
    odd = property_row(1, **{"Transaction ID": "MDE18X1"})
    second = text(tmp_path / "b.csv", cells("property", odd))
    told(first, "--deal", "MADE 2018-X1")
    told(second, "--deal", "MADE 2018-X1")
    found, _ = facts(tmp_path / "store", "MADE 2018-X1:1", "property_name", "payment_status")
    assert found == ["HARBOUR MILL", "0"]


def test_what_is_refused_leaves_the_store_as_it_was(told, tmp_path):
    code, out, err = told(tmp_path / "gone.xlsx")
    assert (code, out) == (2, "")
    assert err == "creditatlas: gone.xlsx: there is no such file or folder.\n"
    setup = workbook(tmp_path / "setup.xlsx", cells("setup", setup_row(1)))
    assert "--as-of YYYY-MM-DD" in told(setup)[2]
    assert not (tmp_path / "store" / "filed").exists()
    assert told(setup, "--as-of", "2018-07-01")[0] == 0
    assert [path.name for path in (tmp_path / "store/filed").rglob("*.xlsx")] == ["setup.xlsx"]


def test_one_trust_from_two_sources_is_refused(tmp_path):
    """D193: its loans would count twice."""
    filed = sec_absee.portfolio(
        [write(tmp_path / "MADE_2018-X1__a.xml", dict([*LAST_PERIOD.items()][:2]))]
    )
    irp = histories([text(tmp_path / "a.csv", cells("periodic", periodic_row(1)))])[0].read()
    for first, second in ((filed, [irp]), ([irp], filed)):
        store = tmp_path / f"store{first[0].info.importer}"
        load(store, first)
        with pytest.raises(ImportRefused, match="are one trust, whose loans would count twice"):
            load(store, second)


def table(*loans):
    numbers, due, rates = zip(*loans, strict=True)
    columns = {"loan_number": numbers, "maturity_date": due, "interest_rate": rates}
    return shaped(LOANS, {name: pa.array(values) for name, values in columns.items()})


def test_a_trust_is_told_by_its_name_or_by_its_loans():
    some = [(f"A:{at}", date(2030, at, 6), 4 + at / 8) for at in range(1, 9)]
    same = [(f"B:{at}", date(2030, at, 6), 4 + at / 8) for at in range(1, 5)]
    other = [(f"B:{at}", date(2030, at, 6), 5 + at / 8) for at in range(1, 9)]
    assert same_trust("WFCM 2017-C42", "WFCM17C42", table(*some), table(*other))
    assert not same_trust("UBS 2017-C1", "UBSCM17C1", table(*some), table(*other))
    assert same_trust("UBS 2017-C1", "UBSCM17C1", table(*some), table(*same, *other[5:]))
    # Two alike are chance.
    assert not same_trust("A", "B", table(*some), table(*same[:2]))
    assert not same_trust("A", "B", table(*some), table(*same[:3], *other[3:]))
