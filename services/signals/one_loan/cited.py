"""Where the computed figures of one loan come from: each with its formula and its inputs filled in.

A formula is cited only where it comes to the figure, to eight digits: of several that may hold (a
loan that pays interest alone, one that amortises) the one that does. A figure that no closed
formula gives says so.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from services.contract.arithmetic import gives, plain
from services.contract.citations import Citation, Input
from services.contract.disposition import COST_OF_SALE
from services.contract.facts import FACT, Kind
from services.contract.loan_figures import (
    CONSTRAINTS,
    LENT_ON_VALUE,
    Exposure,
    Figure,
    LoanFigures,
)
from services.contract.records import LoanDetail
from services.contract.vocabulary import SERIES
from services.signals.amortisation import (
    LoanTerms,
    interest_only_payments_left,
    level_payment,
    payments_due,
)
from services.signals.one_loan.debt import signed, terms_of
from services.signals.one_loan.record import Facts, known

_ITERATED: Final = "By iteration: the refi rate at which income equals the refi debt service"
_NO_FORMULA: Final = "No closed formula gives it; the inputs above are all of them"
_ADVANCES: Final = ("{missed}", "{taxes}", "{other}")
#: A year's level payment per dollar, of a refi rate over the amortisation of the type.
_CONSTANT: Final = "12 × ({rate} / 1200) / (1 − (1 + {rate} / 1200) ^ −{months})"


#: Name in a formula, in words, value, and where it is from.
_Given = tuple[str, str, float | None, str]


@dataclass(frozen=True, slots=True)
class _Made:
    """A figure, the formulas that may give it, and the names of its inputs."""

    key: str
    label: str
    kind: Kind
    figure: Figure
    formulas: Sequence[str]
    limit: str = ""


def computed(loan: LoanDetail, found: LoanFigures) -> tuple[Citation, ...]:
    """Of every computed figure of a loan that owes something; none of one that has ended."""
    if found.ended:
        return ()
    inputs = _inputs(loan, found)
    return tuple(_cited(one, inputs) for one in _made(found))


def _cited(one: _Made, inputs: Mapping[str, Input]) -> Citation:
    value = one.figure.value
    formula = filled = ""
    for shape in one.formulas if value is not None else ():
        names = _named(shape)
        if all(name in inputs for name in names):
            tried = shape.format(**{name: plain(inputs[name].value) for name in names})
            if value is not None and gives(tried, value):
                formula = shape.format(**{name: inputs[name].name for name in names})
                filled = tried
                used = names
                break
    else:
        used = list(dict.fromkeys(n for shape in one.formulas for n in _named(shape)))
    return Citation(
        key=one.key,
        label=one.label,
        kind=one.kind,
        value=value,
        why=one.figure.why,
        basis="computed",
        formula=formula,
        filled=filled,
        inputs=tuple(inputs[name] for name in used if name in inputs),
        limit="" if filled or value is None else one.limit or _NO_FORMULA,
    )


def _named(shape: str) -> list[str]:
    names = (part.partition("}")[0] for part in shape.split("{")[1:])
    return list(dict.fromkeys(names))


def _inputs(loan: LoanDetail, found: LoanFigures) -> dict[str, Input]:
    """Everything that a formula may name, by the name in the formula."""
    debt, refi, income, out = found.debt, found.refinance, found.income, found.exposure
    in_place, signing = income.in_place, income.underwritten
    pays = terms_of(Facts.of(loan).of_today(), found.as_of)
    cash = None if in_place is None else in_place.cash
    earned, covered = map(known, signed(income))
    basis = "ncf" if in_place is None or in_place.basis == "NCF" else "noi"
    given: list[_Given] = [
        ("balance", "balance", debt.balance, "book_value"),
        ("coupon", "coupon", loan.interest_rate, "interest_rate"),
        ("lent", "original amount", known(pays.original_amount), "original_amount"),
        ("term", "amortisation months", known(pays.amortisation_months), "amortization_months"),
        ("paid", "filed payment", known(pays.filed_payment), "monthly_payment"),
        ("noi", "NOI", None if in_place is None else in_place.noi, "noi"),
        ("cash", basis.upper(), cash, basis),
        ("dscr", "DSCR", None if in_place is None else in_place.dscr, "dscr"),
        ("filed", "debt service filed", Facts.of(loan).figure("filed_debt_service"),
         "filed_debt_service"),
        ("signed_noi", "underwritten NOI", None if signing is None else signing.noi,
         "underwritten_noi"),
        ("value", "appraised value", income.value, "value"),
        ("signed", "underwritten income", earned, _signed(signing is None or signing.ncf is None)),
        ("signed_dscr", "underwritten DSCR", covered, "underwritten_dscr"),
        ("whole", "whole-loan debt", debt.whole.value, "whole_loan_debt"),
        ("rank", "debt of its rank and before", debt.rank.value, "rank_debt"),
        ("due", "debt due", debt.due.value, "debt_due"),
        ("scheduled", "scheduled balance", out.scheduled_balance, "scheduled_balance"),
        ("missed", "payment advances", out.payments, "payment_advances"),
        ("taxes", "tax and insurance advances", out.taxes, "tax_advances"),
        ("other", "other advances", out.other, "other_advances"),
        ("out", "exposure", out.amount.value, "exposure"),
        ("own_end", "balance at maturity", debt.at_maturity.value, "balance_at_maturity"),
        ("end", "debt due at maturity", debt.due_at_maturity.value, "debt_due_at_maturity"),
        ("service", "debt service", debt.service.value, "own_debt_service"),
        ("rate", "refi rate", refi.rate.value, "refi_rate"),
        ("most", "new proceeds", refi.most.value, "max_proceeds"),
        ("share", "refinance gap", refi.gap.value, "refinance_gap"),
        ("io", "refi debt service", refi.service.interest_only.value, "refi_debt_service_io"),
        ("am", "refi debt service", refi.service.amortising.value, "refi_debt_service_am"),
        *((f"by{at}", f"by {name}", one.value, f"proceeds_{at}")
          for at, (name, one) in enumerate(zip(CONSTRAINTS, refi.proceeds, strict=True))),
    ]  # fmt: skip
    cited = {
        name: Input(name=called, value=value, of=key)
        for name, called, value, key in given
        if value is not None
    }
    stated = {
        name: Input(name=called, value=value, said=said)
        for name, called, value, said in (*_of_tables(loan, found), *_of_schedule(pays))
        if value is not None
    }
    return cited | stated


def _of_tables(loan: LoanDetail, found: LoanFigures) -> Iterator[_Given]:
    """Inputs that no record of the loan states, each with where it is from."""
    debt, refi = found.debt, found.refinance
    counted = "equal months" if debt.day_count == 1 else "365/360 by actual/360"
    yield "day_count", "day count", debt.day_count, counted
    yield "behind", "mezzanine behind", debt.behind, "layers of the capital stack"
    if (rate := refi.reference) is not None:
        quoted = f"{SERIES.get(rate.series, rate.series)} on {rate.day:%-d %b %Y}"
        yield "reference", "reference rate", rate.percent, quoted
    of_type = f"asked of {loan.property_type}"
    yield "spread", "spread in basis points", refi.spread_bp, of_type
    if (terms := refi.terms) is not None:
        yield "months", "months", float(12 * terms.amortisation_years), of_type
        yield "min_dscr", "minimum DSCR", terms.min_dscr, of_type
        yield "min_yield", "minimum debt yield", terms.min_debt_yield_pct, of_type
        yield "max_ltv", "maximum LTV", terms.max_ltv, of_type


def _signed(noi: bool) -> str:
    return "underwritten_noi" if noi else "underwritten_ncf"


def _of_schedule(pays: LoanTerms) -> Iterator[_Given]:
    """Payments of principal before the effective maturity, and how much each is."""
    before = np.maximum(payments_due(pays, pays.maturity) - 1, 0)
    left = interest_only_payments_left(pays)
    repaying = np.where(np.isinf(left), 0.0, np.maximum(before - left, 0))
    yield "payments", "payments of principal before maturity", known(repaying), "by its dates"
    yield "level", "level payment", known(level_payment(pays)), "by its terms"


def _made(found: LoanFigures) -> list[_Made]:
    """Every computed figure of the dossier; none of a refinancing that does not concern a loan."""
    made = [*_debt(found), *_exposure(found.exposure), *_layers(found)]
    return made if found.exempt else [*made, *_refinance(found), *_proceeds(found)]


def _exposure(of: Exposure) -> Iterator[_Made]:
    """What is out on the loan, and of one in trouble what the value leaves uncovered."""
    if of.amount.value is None:
        return
    yield _fact("exposure", of.amount, [" + ".join(_out(of))])
    if of.troubled:
        notes = _out_on_notes(of)
        for name, one, part in (
            ("computed_reduction", of.reduction, f"{LENT_ON_VALUE}"),
            ("expected_loss", of.expected_loss, f"(1 − {COST_OF_SALE})"),
        ):
            yield _fact(name, one, [
                f"{{out}} − {part} × {{value}}",
                *(f"{{out}} × (1 − {part} × {{value}} / ({every}))" for every in notes),
                *(f"{every} − {part} × {{value}}" for every in notes),
                "{out}", "0",
            ])  # fmt: skip


def _out(of: Exposure) -> list[str]:
    """The balance that was scheduled, and the advances that are stated."""
    advances = zip(_ADVANCES, (of.payments, of.taxes, of.other), strict=True)
    base = "{balance}" if of.scheduled_balance is None else "{scheduled}"
    return [base, *(name for name, one in advances if one is not None)]


def _out_on_notes(of: Exposure) -> list[str]:
    """What is out on all notes of a loan, and on those up to the rank of this one: payments by
    balance, taxes and expenses of the property once.
    """
    base, *stated = _out(of)
    paid = f"{base} + {{missed}}" if "{missed}" in stated else base
    once = "".join(f" + {name}" for name in stated if name != "{missed}")
    return [f"{debt} × ({paid}) / {{balance}}{once}" for debt in ("{whole}", "{rank}")]


def _debt(found: LoanFigures) -> Iterator[_Made]:
    debt = found.debt
    level = _CONSTANT.replace("{rate}", "{coupon}").replace("{months}", "{term}")
    monthly = "{coupon} / 1200 × {day_count}"
    lent = "{signed} / {signed_dscr}"
    implied = [
        f"{lent} / ({constant}) × {{balance}} / {{lent}}"
        for constant in ("{coupon} / 100 × {day_count}", "12 × {level} / {lent}")
    ]
    yield _fact("own_debt_service", debt.service, [
        "{balance} × {coupon} / 100 × {day_count}",
        "12 × {paid}", f"{{lent}} × {level}", f"{{balance}} × {level}",
    ])  # fmt: skip
    yield _fact("balance_at_maturity", debt.at_maturity, [
        "{balance}",
        (f"{{balance}} × (1 + {monthly}) ^ {{payments}} − {{level}} × "
        f"((1 + {monthly}) ^ {{payments}} − 1) / ({monthly})"),
        "0",
    ])  # fmt: skip
    yield _fact("whole_loan_debt", debt.whole, [
        "{balance}", *implied, "{balance} × {filed} / {service}",
    ])  # fmt: skip
    if debt.by_service and not debt.junior:
        yield _Made("rank_debt", "Debt of its rank and before", "dollars", debt.rank, implied)
    every_note, _ = _out_on_notes(found.exposure)
    yield _fact("debt_due", debt.due, [
        "{whole}", "{whole} + {behind}", "{out}", "{out} + {behind}", every_note,
        f"{every_note} + {{behind}}",
    ])  # fmt: skip
    yield _Made(
        "debt_due_at_maturity", "Debt due at maturity", "dollars", debt.due_at_maturity,
        ["{own_end}", "{own_end} + {behind}", "{whole} × {own_end} / {balance}",
         "{whole} × {own_end} / {balance} + {behind}"],
    )  # fmt: skip
    yield _fact("ltv", debt.ltv, ["{due} / {value}"])
    yield _fact("debt_yield", debt.debt_yield, ["{noi} / {whole} × 100"])
    yield _fact("filed_over_implied", debt.filed_over_implied, [
        "{filed} / {service}",
        *(f"{{filed}} / ({{service}} × {known} / {{balance}})" for known in ("{whole}", "{rank}")),
        f"{{filed}} / ({{service}} × {lent} / ({{coupon}} / 100 × {{day_count}}) / {{lent}})",
    ])  # fmt: skip
    yield _fact("noi_room", found.income.room, ["({cash} − {cash} / {dscr}) / {noi}"])
    yield _fact("underwritten_markup", found.income.markup, ["{signed_noi} / {noi} − 1"])
    in_place = found.income.in_place
    if in_place is not None and in_place.cash is not None:
        covers = None if not debt.service.value else in_place.cash / debt.service.value
        if not debt.part and covers is not None:
            yield _Made(
                "dscr_on_service", "Income over the loan's own debt service", "times",
                Figure(covers), ["{cash} / {service}"],
            )  # fmt: skip


def _refinance(found: LoanFigures) -> Iterator[_Made]:
    refi = found.refinance
    graded = "{io}" if refi.interest_only_graded else "{am}"
    yield _fact("refi_rate", refi.rate, ["{reference} + {spread} / 100"])
    yield _fact("rate_gap_bp", refi.rate_gap, ["({rate} − {coupon}) × 100"])
    for key, word, service, dscr, noi, even in (
        ("io", "interest only", refi.service.interest_only, refi.dscr.interest_only,
         refi.required_noi.interest_only, refi.break_even.interest_only),
        ("am", "amortising", refi.service.amortising, refi.dscr.amortising,
         refi.required_noi.amortising, refi.break_even.amortising),
    ):  # fmt: skip
        yield _Made(
            f"refi_debt_service_{key}", f"Refi debt service, {word}", "dollars", service,
            ["{end} × {rate} / 100 × {day_count}"] if key == "io" else [f"{{end}} × {_CONSTANT}"],
        )  # fmt: skip
        yield _Made(
            f"proforma_dscr_{key}", f"DSCR at the refi rate, {word}", "times", dscr,
            [f"{{cash}} / {{{key}}}"],
        )  # fmt: skip
        yield _Made(
            f"required_noi_{key}", f"Income required, {word}", "dollars", noi,
            [f"{{{key}}} × {{min_dscr}}"],
        )  # fmt: skip
        yield _Made(
            f"break_even_{key}", f"Break-even rate, {word}", "percent", even,
            ["100 × {cash} / {end} / {day_count}"] if key == "io" else ["{cash}", "{end}"],
            "" if key == "io" else _ITERATED,
        )  # fmt: skip
    yield _fact("refi_debt_service", refi.graded(refi.service), [graded])
    yield _fact("proforma_dscr", refi.graded(refi.dscr), [f"{{cash}} / {graded}"])
    yield _fact("payment_shock", refi.shock, [
        f"{graded} / {{service}} − 1",
        f"{graded} × {{own_end}} / {{end}} / {{service}} − 1",
        f"{{own_end}} × {_CONSTANT} / {{service}} − 1",
        "{own_end} × {rate} / 100 × {day_count} / {service} − 1",
    ])  # fmt: skip


def _proceeds(found: LoanFigures) -> Iterator[_Made]:
    refi = found.refinance
    by = (f"{{cash}} / {{min_dscr}} / ({_CONSTANT})", "{noi} / ({min_yield} / 100)",
          "{max_ltv} × {value}")  # fmt: skip
    for at, (name, one) in enumerate(zip(CONSTRAINTS, refi.proceeds, strict=True)):
        yield _Made(f"proceeds_{at}", f"New proceeds by {name}", "dollars", one, [by[at], "0"])
    known_ones = [f"{{by{at}}}" for at, one in enumerate(refi.proceeds) if one.value is not None]
    least = f"min({', '.join(known_ones)})" if len(known_ones) > 1 else "".join(known_ones)
    yield _fact("max_proceeds", refi.most, [least])
    yield _fact("refinance_gap", refi.gap, ["1 − {most} / {end}"])
    yield _Made("gap_usd", "Short at refinance, all debt due", "dollars", refi.gap_usd,
                ["{end} − {most}"])  # fmt: skip
    yield _fact("own_dollars_short", refi.own_gap_usd, [
        "{end} − {most}", "{share} × {own_end}", ("({whole} × {own_end} / {balance} − {most})"
        " × {balance} / {whole}"), "0",
    ])  # fmt: skip


def _layers(found: LoanFigures) -> Iterator[_Made]:
    for at, layer in enumerate(found.stack, 1):
        yield _Made(f"layer_ltv_{at}", f"LTV through layer {at}, {layer.position}", "fraction",
                    layer.ltv, [f"{plain(layer.cumulative.value or 0)} / {{value}}"])  # fmt: skip


def _fact(name: str, figure: Figure, formulas: Sequence[str]) -> _Made:
    """A computed figure that is a fact of the table too."""
    return _Made(name, FACT[name].label, FACT[name].kind, figure, formulas)
