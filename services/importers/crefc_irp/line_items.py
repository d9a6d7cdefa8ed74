"""Lines of operating statements, property by property, as a loan's further fields hold them."""

from collections.abc import Sequence
from decimal import Decimal

from services.importers.crefc_irp.kinds import rules
from services.importers.crefc_irp.parts import Entry


def statements(lines: Sequence[Entry]) -> dict[str, dict[str, object]]:
    """Amounts by the words of their line, in the order of the codes: revenue, expenses, capital;
    of each property and period, the latest period first.

    A line that occurs twice in one statement has both its amounts.
    """
    found: dict[tuple[str, ...], dict[str, list[Decimal]]] = {}
    by_code = sorted(lines, key=lambda one: one.text("item") or "")
    for one in sorted(by_code, key=_period, reverse=True):
        item, amount = one.text("item"), one.collateral.number("amount")
        if item is not None and amount is not None:
            listed = found.setdefault(_statement(one), {})
            listed.setdefault(_words("Financial Line Item Code", item), []).append(amount)
    return {
        " ".join(filter(None, key)): {
            item: _plain(amounts[0]) if len(amounts) == 1 else [_plain(one) for one in amounts]
            for item, amounts in listed.items()
        }
        for key, listed in found.items()
    }


def _period(line: Entry) -> str:
    return f"{line.collateral.day('end')}{line.collateral.day('start')}"


def _statement(line: Entry) -> tuple[str, ...]:
    facts = line.collateral
    kind = _words("Financial Statement Indicator", facts.text("statement") or "")
    basis = _words("Financial Statement Source", facts.text("basis") or "")
    days = f"{facts.day('start')} to {facts.day('end')}"
    return facts.text("property_id") or "", kind, basis, days


def _words(column: str, code: str) -> str:
    return (rules()["financial"][column].codes or {}).get(code, code)


def _plain(amount: Decimal) -> int | float:
    return int(amount) if amount == amount.to_integral_value() else float(amount)
