"""`assets` elements of an Exhibit 102 as loans and properties, and whose properties they are."""

from collections import Counter

from services.importers.base import Facts, RecordRejected, Row, Rules
from services.importers.cmbs.loan import Loan
from services.importers.cmbs.property import Property
from services.importers.sec_absee.xml import Asset


def read_loan(asset: Asset, record: str, rules: Rules, unmapped: Counter[str]) -> Loan:
    """A loan from its `assets` element. Raises RecordRejected."""
    facts, number = read_facts(asset, record, rules, unmapped)
    return Loan(record, number, facts, properties_in(asset, record, rules, unmapped))


def read_facts(
    asset: Asset, record: str, rules: Rules, unmapped: Counter[str]
) -> tuple[Facts, str]:
    """Facts and asset number of an `assets` element. Raises RecordRejected."""
    row = Row(record, asset.values)
    facts = row.facts(rules.fields["loan"], unmapped)
    row.close(rules.ignored, unmapped)
    number = facts.text("asset_number")
    if number is None:
        raise RecordRejected(record, "It has no assetNumber.")
    return facts, number


def parents_of(number: str) -> list[str]:
    """Numbers of loans that a child of this number may belong to, closest first."""
    found: list[str] = []
    while child := _last_part(number):
        found.append(child)
        number = child
    return found


def _last_part(number: str) -> str | None:
    cut = max(number.rfind(mark) for mark in ".-_/ ")
    return number[:cut].rstrip(".-_/ ") or None if cut > 0 else None


def properties_in(
    asset: Asset, record: str, rules: Rules, unmapped: Counter[str], around: Facts | None = None
) -> list[Property]:
    """Every `property` block of one `assets` element. Raises RecordRejected."""
    found: list[Property] = []
    number = around.text("asset_number") if around else None
    for block in asset.properties:
        row = Row(record, block)
        facts = row.facts(rules.fields["property"], unmapped)
        row.close(rules.ignored, unmapped)
        found.append(Property(facts, around or Facts(), number))
    return found
