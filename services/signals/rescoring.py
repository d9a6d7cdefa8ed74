"""The loans of a snapshot rescored in a scenario: other rates, NOI and cap rates.

The rules, features and limits are those that scored the snapshot. What a scenario cannot move is
read from it; what it moves is computed as `features.py` computes it, from the same inputs.
"""

import os
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from datetime import date
from functools import lru_cache
from typing import Any, Final, cast

import numpy as np

from services.contract.citations import Citation
from services.contract.errors import NotRescored
from services.contract.events import Event
from services.contract.history import HistoryRow
from services.contract.loan_figures import LenderTerms, LoanFigures
from services.contract.records import LoanDetail
from services.contract.rescoring import Floaters, FloatersStage, Places, Rescored, ScenarioInputs
from services.contract.scenario import TENORS, Scenario
from services.contract.sizing import Sized, SizingInputs
from services.contract.snapshot_info import RateUsed, Snapshot
from services.rates.reference import Quote, RefiBases
from services.rates.spreads import Sizings
from services.signals import events
from services.signals.amortisation import BoolArray, FloatArray
from services.signals.features import Features
from services.signals.floating_rate import held
from services.signals.grading import grade
from services.signals.limits import Limits
from services.signals.one_loan.cited import computed
from services.signals.one_loan.figures import loan_figures
from services.signals.one_loan.sizing import sized
from services.signals.refinance_features import Inputs, moving_features, rounded
from services.signals.rule import Scene
from services.signals.rules import RULES, rules

#: Loans scored at a time: what is computed of them stays near the processor.
_BLOCK: Final = 32_768
_INPUTS: Final = tuple(one.name for one in fields(Inputs))


class RulesRescorer:
    """`Rescorer` of the contract, by the rules of this folder."""

    def moving(self, snapshot: Snapshot) -> frozenset[str]:
        """See Rescorer."""
        now = {rule.id: rule.version for rule in RULES}
        then = {card.id: card.version for card in snapshot.rules}
        if not then:
            raise NotRescored.of_source()
        if any(now.get(rule) != version for rule, version in then.items()):
            raise NotRescored(
                "These loans were scored by another version of the rules; import their files again "
                "to ask what if"
            )
        return frozenset(rule.id for rule in RULES if rule.moves and rule.id in then)

    def events(
        self, before: HistoryRow | None, after: HistoryRow | None, since: date, until: date
    ) -> tuple[Event, ...]:
        """See Rescorer."""
        return events.events(before, after, since, until)

    def rescore(
        self,
        inputs: ScenarioInputs,
        snapshot: Snapshot,
        tables: Mapping[str, str],
        scenario: Scenario,
    ) -> Rescored:
        """See Rescorer. Blocks of loans are scored side by side, one a processor."""
        limits, sizings = _limits(tables["limits"]), _sizings(tables["spreads"])
        chosen = self.moving(snapshot)
        listed = [rule for rule in rules(limits) if rule.id in chosen]
        quotes = shifted(
            tuple(Quote(one.series, one.day, one.percent) for one in snapshot.rates), scenario
        )
        dates = tuple(one.as_of or snapshot.as_of for one in snapshot.rates)
        severity = inputs.fixed.copy()
        short = np.empty(len(severity))
        no_rate = np.zeros(len(severity), np.bool_)

        def score(start: int) -> None:
            block = slice(start, start + _BLOCK)
            loans, code = _loans(inputs, block), inputs.columns["reference"][block]
            reference = RefiBases(quotes, dates, code)
            found = moving_features(in_scenario(loans, scenario), reference, sizings)
            scene = _scene(found, limits)
            for rule in listed:
                np.maximum(severity[block], grade(rule, scene).severity, out=severity[block])
            short[block] = found.dollars_short
            no_rate[block] = np.isnan(found.refi_rate) & (code >= 0) & (loans.type_index >= 0)

        starts = range(0, len(severity), _BLOCK)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(score, starts))
        every = _loans(inputs, slice(None))
        floats = np.flatnonzero(every.floats & ~every.settled).astype(np.int32)
        return Rescored(
            severity,
            short,
            every.settled,
            _reached(every, scenario, no_rate),
            _floaters(inputs, floats, scenario),
        )

    def figures(
        self,
        loan: LoanDetail,
        as_of: date,
        rates: Iterable[RateUsed],
        tables: Mapping[str, str],
    ) -> LoanFigures:
        """See Rescorer."""
        return loan_figures(loan, as_of, rates, _kept(tables).on(as_of))

    def cited(self, loan: LoanDetail, found: LoanFigures) -> tuple[Citation, ...]:
        """See Rescorer."""
        return computed(loan, found)

    def sized(self, inputs: SizingInputs) -> Sized:
        """See Rescorer."""
        return sized(inputs)

    def terms(self, property_type: str, tables: Mapping[str, str], as_of: date) -> LenderTerms:
        """See Rescorer."""
        return _kept(tables).on(as_of).of(property_type)


def _kept(tables: Mapping[str, str]) -> Sizings:
    # Mirrors of versions that kept no tables were filled by the packaged ones.
    kept = tables.get("spreads")
    return _sizings(kept) if kept else Sizings.packaged()


def shifted(quotes: tuple[Quote, ...], scenario: Scenario) -> tuple[Quote, ...]:
    """The reference rates of a scenario: each Treasury by the shift of its tenor."""
    return tuple(
        replace(one, percent=one.percent + getattr(scenario, TENORS[one.series]) / 100)
        for one in quotes
    )


def in_scenario(loans: Inputs, scenario: Scenario, *, cap: FloatArray | None = None) -> Inputs:
    """Income, coupon, DSCR in place and value of a scenario, in which `cap` holds floating coupons;
    None: the cap in force.

    NOI falls by its share; net cash flow by the dollars that NOI loses, for reserves stay, or by
    its own share where no NOI is stated; income below zero falls further below. DSCR moves as the
    income over the debt service that it implies, by its own share where it implies none. Value is
    NOI over cap rate: where both NOI and value are above zero, the cap rate that they imply is
    raised; else the appraisal stays.

    The coupon of a floating loan moves with its index between floor and cap. Its debt service rises
    by the interest of a year that this adds on the whole loan, or by the share that the coupon
    rises by where debt or debt service is not known. Balances at maturity stay.
    """
    share = scenario.noi / 100
    noi, income, dscr = loans.noi, loans.income, loans.dscr
    floating = replace(
        loans,
        rate_at_index=loans.rate_at_index + scenario.rate_short / 100,
        rate_cap=loans.rate_cap if cap is None else cap,
    )
    rise = np.nan_to_num(_coupon(floating) - _coupon(loans))
    with np.errstate(all="ignore"):
        gained = share * np.abs(np.where(np.isnan(noi), income, noi))
        moved = noi + share * np.abs(noi)
        service = income / dscr
        change = np.where(service > 0, gained / service, share * np.abs(dscr))
        covered = rounded((dscr + change) / (1 + _service_rise(loans, service, rise)))
        cap_rate = 100 * noi / loans.value
        worth = loans.value * (moved / noi) * (cap_rate / (cap_rate + scenario.cap / 100))
    return replace(
        floating,
        interest_rate=loans.interest_rate + rise,
        noi=moved,
        income=income + gained,
        dscr=np.where(rise != 0, covered, rounded(dscr + change) if share else dscr),
        value=np.where(_capped(loans), worth, loans.value),
    )


def _coupon(loans: Inputs) -> FloatArray:
    """What the borrower of a floating loan pays, percent figure; NaN of a fixed rate, and where the
    index is not known.
    """
    return held(loans.rate_at_index, loans.rate_floor, loans.rate_cap)


def _service_rise(loans: Inputs, service: FloatArray, rise: FloatArray) -> FloatArray:
    """By which share a rise of the coupon raises the debt service that DSCR rests on."""
    added = rise / 100 * loans.whole_loan_debt * loans.day_count / service
    grown = np.where((service > 0) & (added > -1), added, rise / loans.interest_rate)
    return np.where(grown > -1, grown, 0.0)


def _floaters(inputs: ScenarioInputs, rows: Places, scenario: Scenario) -> Floaters:
    """The loans of these rows, which float: as they are, in the scenario, and in it once bought
    caps have expired.
    """
    loans = _loans(inputs, rows)

    def stage(of: Inputs) -> FloatersStage:
        coupon = _coupon(of)
        coupon = np.where(np.isnan(coupon), of.interest_rate, coupon)
        return FloatersStage(
            coupon, of.dscr, at_floor=coupon <= of.rate_floor, at_cap=coupon >= of.rate_cap
        )

    uncapped = in_scenario(loans, scenario, cap=loans.rate_own_cap)
    return Floaters(rows, stage(loans), stage(in_scenario(loans, scenario)), stage(uncapped))


def _capped(loans: Inputs) -> BoolArray:
    """Where NOI and value imply a cap rate."""
    capped: BoolArray = (loans.noi > 0) & (loans.value > 0)
    return capped


def _loans(inputs: ScenarioInputs, rows: slice | Places) -> Inputs:
    columns: dict[str, Any] = {name: inputs.columns[name][rows] for name in _INPUTS}
    return Inputs(**columns)


def _scene(found: Inputs, limits: Limits) -> Scene:
    """What moving rules see. They read nothing else of a loan: what is not here would raise."""
    return Scene(cast("Features", found), limits)


def _reached(loans: Inputs, scenario: Scenario, no_rate: BoolArray) -> dict[str, BoolArray]:
    """What keeps the scenario from loans, of what it changes; in order of what it says."""
    noi, value, stays = loans.noi, loans.value, loans.settled
    found = {"defeased in full or without a balance, which stay as they are": stays}
    if scenario.noi or scenario.cap:
        found["without NOI: DSCR moves by its own share, value stays"] = np.isnan(noi) & ~stays
        found["without a value, so without LTV"] = np.isnan(value) & ~stays
        found["with NOI not above zero: the value stays as appraised"] = (
            (noi <= 0) & ~np.isnan(value) & ~stays
        )
    if scenario.rate_short:
        found["that float without a coupon, or at a floor or cap without a known index"] = (
            loans.floats & np.isnan(_coupon(loans)) & ~stays
        )
    found["for which the scenario leaves no refi rate above zero"] = no_rate & ~stays
    return found


@lru_cache(maxsize=4)
def _limits(text: str) -> Limits:
    return Limits.parsed(text)


@lru_cache(maxsize=4)
def _sizings(text: str) -> Sizings:
    return Sizings.parsed(text)
