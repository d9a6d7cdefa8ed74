"""The loans of a filing: which of its records are loans, and which their properties."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from services.importers.base import Facts, RecordRejected, Rules, count
from services.importers.cmbs.loan import Loan
from services.importers.cmbs.property import Property
from services.importers.sec_absee.notes import share_collateral
from services.importers.sec_absee.reading import parents_of, properties_in, read_facts, read_loan
from services.importers.sec_absee.xml import Asset
from services.importers.values import clean_text

#: Elements that tell a loan from a property filed apart. An originator is enough by itself; some
#: filers leave it, or another, out.
_LENDER: Final = "originatorName"
_TELLING: Final = (
    _LENDER,
    "originationDate",
    "originalLoanAmount",
    "maturityDate",
    "originalInterestRatePercentage",
    "scheduledPrincipalBalanceSecuritizationAmount",
)
_ENOUGH: Final = 3
#: What a property's record repeats of its loan, where a filer repeats it; a note beside the loan
#: has another balance.
_ORIGINATOR: Final = "originator_as_filed"
_REPEATED: Final = (
    *(_ORIGINATOR, "origination_date", "original_loan_amount"),
    *("scheduled_maturity_date", "scheduled_balance_at_period_end"),
)
#: What such a record says of the property beside its own elements.
_OF_PROPERTY: Final = ("asset_number", "primary_servicer_as_filed")
#: Between the closing of a loan and the first day of its term.
_SLACK_MONTHS: Final = 6


@dataclass(slots=True)
class Pool:
    """What was read of one file so far."""

    rules: Rules
    loans: dict[str, Loan] = field(default_factory=dict)
    rejects: list[tuple[str, str]] = field(default_factory=list)
    unmapped: Counter[str] = field(default_factory=Counter)
    _children: dict[str, tuple[str, list[Property]]] = field(default_factory=dict)
    _rejected_loans: list[str] = field(default_factory=list)
    _rejected_children: list[str] = field(default_factory=list)

    def take(self, asset: Asset) -> None:
        """Add one `assets` element, as a loan, a property or a reject."""
        try:
            self._take(asset)
        except RecordRejected as bad:
            self.rejects.append((bad.record, bad.reason))

    def _take(self, asset: Asset) -> None:
        number = clean_text(_first(asset.values.get("assetNumber")))
        shown = f"asset {number[:40]}" if number else "an asset without number"
        record = f"{shown} (line {asset.line})"
        told = [name for name in _TELLING if _first(asset.values.get(name)).strip()]
        is_loan = _LENDER in told or len(told) >= _ENOUGH
        if number in self.loans or (number in self._children and not is_loan):
            raise RecordRejected(record, f"The asset number {number[:40]} was there before.")
        try:
            if is_loan:
                self.loans[number] = read_loan(asset, record, self.rules, self.unmapped)
            else:
                self._children[number] = (record, self._child_blocks(asset, record))
        except RecordRejected:
            (self._rejected_loans if is_loan else self._rejected_children).append(number)
            raise

    def _child_blocks(self, asset: Asset, record: str) -> list[Property]:
        facts, _ = read_facts(asset, record, self.rules, self.unmapped)
        blocks = properties_in(asset, record, self.rules, self.unmapped, facts)
        if not blocks:
            raise RecordRejected(record, "It names no originator and holds no property.")
        return blocks

    def settle(self) -> None:
        """After the last record: gives each property filed apart to its loan, and notes of one loan
        its properties. A property without a loan is rejected.
        """
        self._find_repeats()
        self._attach_children()
        share_collateral(self.loans)
        for loan in self.loans.values():
            if _ends_before_maturity(loan.facts):
                count(self.unmapped, "originalTermLoanNumber (ends before maturityDate)")

    def _find_repeats(self) -> None:
        """Records that state facts of a loan and yet are properties of another one."""
        for number, loan in list(self.loans.items()):
            parent = next(filter(None, map(self.loans.get, parents_of(number))), None)
            if parent is None or not loan.blocks or not _is_of(loan, parent):
                continue
            del self.loans[number]
            around = Facts({key: loan.facts[key] for key in _OF_PROPERTY if key in loan.facts})
            blocks = [replace(one, around=around, number=number) for one in loan.blocks]
            self._children[number] = (loan.record, blocks)
            count(self.unmapped, "assets (a loan's facts repeated on its property)")

    def _attach_children(self) -> None:
        by_key = {_number_key(number): loan for number, loan in self.loans.items()}
        gone = {_number_key(number) for number in self._rejected_loans}

        def loan_of(number: str) -> Loan | None:
            found = (
                self.loans.get(parent) or by_key.get(_number_key(parent))
                for parent in parents_of(number)
            )
            return next((loan for loan in found if loan is not None), None)

        for number, (record, blocks) in self._children.items():
            if (loan := loan_of(number)) is not None:
                loan.children += blocks
            elif any(_number_key(parent) in gone for parent in parents_of(number)):
                self.rejects.append((record, "It is a property of a loan that was rejected."))
            else:
                reason = "It names no originator, so it is a property, but no loan has its number."
                self.rejects.append((record, reason))
        for number in self._rejected_children:
            if (loan := loan_of(number)) is not None:
                loan.child_missing = True


def _ends_before_maturity(facts: Facts) -> bool:
    """Whether term and origination date end well before the maturity date: one of the three must be
    a slip, unless the maturity was moved.
    """
    begins, term = facts.day("origination_date"), facts.whole("original_term_months")
    ends = facts.day("scheduled_maturity_date")
    if begins is None or ends is None or not term or facts.flag("modified"):
        return False
    return 12 * (ends.year - begins.year) + ends.month - begins.month - term > _SLACK_MONTHS


def _is_of(record: Loan, loan: Loan) -> bool:
    """Whether a record is a property of the loan that its number belongs to: it names no
    originator, or it repeats what the loan says, which has several properties.
    """
    if record.facts.text(_ORIGINATOR) is None:
        return True
    said = {key: record.facts[key] for key in _REPEATED if key in record.facts}
    alike = all(loan.facts.get(key) == value for key, value in said.items())
    return alike and len(said) >= _ENOUGH and loan.stated_properties > 1


def _first(given: Sequence[str] | None) -> str:
    return given[0] if given else ""


def _number_key(number: str) -> str:
    """Asset number without leading zeros: one filer's "003-001" belongs to "3"."""
    return number.casefold().lstrip("0") or "0"
