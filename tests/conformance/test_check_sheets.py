"""Check sheets of a store and of mirrors (D282): the list of filings says what each sheet does, and
what no filing states is not tested.
"""

from services.contract.check_sheet import CHECKS
from services.contract.errors import NoHistory


def test_the_newest_filing_of_each_source_is_listed_and_has_its_sheet(held):
    try:
        listed = held.source.checked_filings()
    except NoHistory:
        assert held.mirrored
        return
    assert {one.source for one in listed} == {one.source for one in held.source.periods()}
    for one in listed:
        sheet = held.source.check_sheet(one.source)
        assert (sheet.as_of, sheet.records, sheet.roll) == (one.as_of, one.records, one.roll)
        assert {check.check: check.found for check in sheet.checks} == one.found
        assert set(one.found) == set(CHECKS)
        owed = [row["book_value"] or 0 for row in held.oracle.rows
                if row["info"].key == one.source and not row["features"]["sums_notes"]]  # fmt: skip
        book = {kind.of: kind.dollars for kind in sheet.balances if not kind.every_record}
        if not held.mirrored:
            assert book["book value"] == sum(owed)
