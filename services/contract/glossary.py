"""The terms of the pages, each in a sentence or two: what a figure is, of what, by which rule.

The Glossary page and the search box read it. Limits are not written here: a term names its rules,
whose cards have them (snapshot_info.py). services/signals/README.md explains figures by examples.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from .disposition import COST_OF_SALE, SALES
from .facts import FACT
from .loan_figures import LENT_ON_VALUE, TELLS_FROM
from .watch_triggers import TRIGGERS, named


@dataclass(frozen=True, slots=True)
class Term:
    """One term."""

    meaning: str
    #: The fact of a loan that it is, whose table says where it is missing (facts.py).
    fact: str = ""
    #: As an analyst writes it, where that is not the label of the fact.
    called: str = ""
    #: The rules that grade it.
    rules: tuple[str, ...] = ()
    #: What else it is called, for a search.
    also: str = ""

    @property
    def name(self) -> str:
        """As an analyst writes it."""
        return self.called or FACT[self.fact].label

    def is_called(self, words: str) -> bool:
        """Whether it goes by these words, or by a part of them."""
        return words.casefold() in f"{self.name} {self.also}".casefold()

    def speaks_of(self, words: str) -> bool:
        """Whether it goes by these words, or has them in its meaning."""
        return self.is_called(words) or words.casefold() in self.meaning.casefold()


#: By subject, in the order of the page.
TERMS: Final[Mapping[str, tuple[Term, ...]]] = {
    "Income": (
        Term(
            "Net cash flow over debt service of the same months: at 1.00x income just pays "
            "the debt. On NOI where no net cash flow is filed. Of the latest filed period, "
            "else as underwritten.",
            fact="dscr", rules=("CV-1", "NI-1"), also="debt service coverage ratio",
        ),
        Term(
            "Net operating income: revenue of the properties less operating expenses, before "
            "reserves and debt service. Income of a part of a year is made a year's by days.",
            fact="noi", called="NOI", rules=("NI-1", "UW-1"), also="net operating income",
        ),
        Term(
            "NOI less reserves for replacements, leasing and tenant improvements.",
            fact="ncf", called="Net cash flow", also="NCF",
        ),
        Term(
            "Interest and principal of a year: the filed payment where it can be that, else "
            "computed from coupon, day count and amortisation.",
            fact="own_debt_service", called="Debt service",
        ),
        Term(
            "The part of NOI in place that can be lost before net cash flow just pays the debt "
            "service, DSCR 1.00x; reserves stay as they are.",
            fact="noi_room", also="cushion break-even NOI",
        ),
        Term(
            "NOI over whole-loan debt. Neither the rate nor the appraisal moves it.",
            fact="debt_yield", rules=("DY-1",),
        ),
        Term(
            "The part of the rentable area, or of the units, that is let, as the source "
            "states it.",
            fact="occupancy", rules=("OC-1",), also="vacancy",
        ),
        Term(
            "The part of the rentable area whose leases end within 12 months. Filings name "
            "the three largest tenants of a property.",
            called="Lease rollover", rules=("LR-1",), also="tenants leases",
        ),
        Term(
            "Income, value and occupancy as they were when the loan was securitised.",
            fact="underwritten_noi", called="As underwritten", rules=("NI-1", "UW-1"),
            also="UW underwriting",
        ),
        Term(
            "Underwritten NOI over the NOI of the last period before the loan was made: 25% is a "
            "quarter more than the property had earned. Of loans that have filed no later period.",
            fact="underwritten_markup", rules=("UW-1",), also="trailing seller originator",
        ),
    ),
    "Debt": (
        Term(
            "Debt due with the loan over appraised value. An appraisal of over 24 months is "
            "marked as stale.",
            fact="ltv", rules=("LV-1",), also="loan to value",
        ),
        Term(
            "The balance of the loan as its source states it. Shares and weighted averages "
            "are of book value.",
            fact="book_value", also="balance UPB",
        ),
        Term(
            "All notes of the loan. A record may be one note of a larger loan, while income "
            "and value are those of the whole property: the whole is then implied by "
            "underwriting, or by the debt service that is filed.",
            fact="whole_loan_debt", also="pari passu A note B note",
        ),
        Term(
            "The debt service that is filed over what the debt that is known pays by its terms. It "
            f"is 1.00x where that is all; from {TELLS_FROM:.2f}x on there may be further debt: a B "
            "note, mezzanine debt, a second mortgage. Of fixed rates.",
            fact="filed_over_implied", also="A/B screen B note hidden debt",
        ),
        Term(
            "Whole-loan debt and the mezzanine debt of the same maturity. Preferred equity is "
            "no debt.",
            fact="debt_due", also="mezzanine",
        ),
        Term(
            "Scheduled balance and what servicers advanced: missed payments, taxes, insurance, "
            "other expenses. Advances are repaid before anything else. LTV is of it where a loan "
            "is 30 days late or more, in special servicing or REO.",
            fact="exposure", rules=("LV-1",), also="advances delinquent",
        ),
        Term(
            "Whole months since the day to which a loan is paid, of one that is late.",
            fact="months_unpaid", also="paid through",
        ),
        Term(
            f"Of a loan in trouble: what its exposure is over {LENT_ON_VALUE:.0%} of the "
            "appraised value. Servicers advance no interest on that part; their own figure may "
            "rest on another appraisal.",
            fact="computed_reduction", called="Appraisal reduction", also="ARA",
        ),
        Term(
            f"Of a loan in trouble: exposure less what a sale brings, which is {COST_OF_SALE:.0%} "
            f"under the appraised value, the median of {SALES} sales of one trust: too few to be "
            "a forecast.",
            fact="expected_loss", also="loss severity liquidation",
        ),
        Term(
            "At least, at most: more debt is due than is known. LTV and refinance gap are "
            "then at least the figure, coverage and debt yield at most.",
            fact="debt_at_least", called="≥ and ≤", also="at least at most bound",
        ),
        Term(
            "Treasury bonds pay the loan in place of the property. A loan that is defeased in "
            "full has no signal and no figure of refinancing.",
            fact="defeasance", called="Defeased", also="defeasance",
        ),
    ),
    "Refinancing": (
        Term(
            "The coupon of a new loan on the as-of date: the Treasury of the loan's original "
            "term and the spread of its property type.",
            fact="refi_rate", called="Refi rate", rules=("RP-1",), also="refinance rate",
        ),
        Term(
            "Refi rate less coupon, in basis points.",
            fact="rate_gap_bp", rules=("RP-1",), also="rate gap",
        ),
        Term(
            "Net cash flow over a year's debt service on the balance at maturity at the refi "
            "rate, interest only or amortising as the loan pays now.",
            fact="proforma_dscr", rules=("RP-1",), also="pro forma DSCR",
        ),
        Term(
            "How much debt service rises from now to the refi rate, paid in the same way.",
            fact="payment_shock",
        ),
        Term(
            "The largest new loan: the least of what minimum DSCR, minimum debt yield and "
            "maximum LTV of the property type allow. The one that binds is named.",
            fact="max_proceeds", called="New proceeds", rules=("RG-1",),
            also="refinance proceeds sizing",
        ),
        Term(
            "Dollars of debt due at maturity that new proceeds do not repay. The refinance "
            "gap is the same as a part of that debt.",
            fact="dollars_short", rules=("RG-1",), also="refinance gap dollars short",
        ),
        Term(
            "What is owed after every scheduled payment before maturity.",
            fact="balance_at_maturity", also="balloon",
        ),
        Term(
            "The refi rate at which income just pays the new debt: DSCR 1.00x.",
            called="Break-even rate",
        ),
    ),
    "Servicing": (
        Term(
            "The anticipated repayment date where there is one, else the legal maturity as "
            "last extended.",
            fact="effective_maturity", rules=("MT-1",),
            also="effective maturity ARD anticipated repayment date",
        ),
        Term(
            "What must be refinanced, by quarter of maturity. Loans without a balance, "
            "defeased or taken over, and loans that their schedule repays, are left out and "
            "counted.",
            called="Maturity wall",
        ),
        Term(
            "Of loans that came due while filings were kept, those that were paid in full by "
            "their due date, or 3 or 12 months later; the others were extended, are unpaid or "
            "were liquidated.",
            called="Repaid in time", also="maturity default",
        ),
        Term(
            "Between which shares the true one may lie when so few loans were seen (exact, "
            "Clopper-Pearson). 2 of 2 loans tell only that it is over 16 %.",
            called="95% interval", also="Clopper Pearson confidence",
        ),
        Term(
            "The code of the filing: 0 current, A within grace, B late by under 30 days, 1 "
            "delinquent by 30 to 59 days, 2 by 60 to 89, 3 by 90 or more, 4 past its balloon "
            "and performing, 5 past it and not performing.",
            fact="payment_status", rules=("ST-1",), also="delinquent delinquency",
        ),
        Term(
            "Transferred to the special servicer, and not returned since.",
            fact="special_servicing", called="Special servicing", rules=("ST-1",),
            also="workout modification foreclosure REO",
        ),
        Term(
            "Loans that their master servicer watches, with triggers and comment. The page "
            "Watchlist is your own.",
            fact="watchlist_since", called="Servicer's watchlist",
        ),
        Term(
            "Reasons for which a servicer watches a loan, by CREFC's codes, as far as filings "
            f"tell. {'. '.join(map(named, TRIGGERS))}. A trigger is no severity.",
            fact="computed_triggers", called="Watchlist trigger",
            also="watchlist reasons codes 1A 1E 1F 1G 4A 4C 4D 5A",
        ),
        Term(
            "What the trust lost on a loan that ended, as filed.",
            fact="realized_loss", also="loss severity",
        ),
    ),
    "Signals": (
        Term(
            "What the rules found of a loan, one of each type: rate pressure, maturity "
            "timing, stress indicator, concentration risk. It is as severe as its worst rule.",
            called="Signal", also="rule",
        ),
        Term(
            "Moderate, elevated, severe, critical: a claim about credit, from limits that "
            "Sources lists. Low is no signal. The worst signal of a loan is the worst of what "
            "was found on the loan itself: contagion is a lead beside it. Loans that are "
            "defeased in full or owe nothing are counted apart from those without a signal.",
            called="Severity", also="moderate elevated severe critical worst signal",
        ),
        Term(
            "Refi rate over coupon, weighed by how soon the loan matures and by its DSCR at "
            "the refi rate.",
            fact="rate_pressure", rules=("RP-1",),
        ),
        Term(
            "How soon the loan matures, and whether it can be refinanced.",
            called="Maturity timing", rules=("MT-1", "RG-1"),
        ),
        Term(
            "Status, coverage, leverage, debt yield, income, occupancy and leases of the loan "
            "itself.",
            called="Stress indicator",
            rules=("ST-1", "CV-1", "LV-1", "DY-1", "NI-1", "UW-1", "OC-1", "LR-1"),
        ),
        Term(
            "The share of the book under one sponsor or owner, and trouble of its other loans.",
            called="Concentration risk", rules=("CN-1", "CT-1"),
        ),
        Term(
            "A signal on a loan because its siblings are distressed: the other loans under one "
            "sponsor or owner. It is a lead to follow, and no part of the loan's worst signal.",
            called="Contagion", rules=("CT-1",), also="siblings",
        ),
        Term(
            "A loan whose worst signal is severe or critical.",
            called="Distressed loan",
        ),
        Term(
            "A rule lacks a figure that it needs. Such a loan is counted with the reason, "
            "never as low.",
            called="Not testable",
        ),
    ),
    "Parties": (
        Term(
            "All loans under one sponsor or owner, over ownership links of 0.70 or better "
            "each.",
            called="Family", rules=("CN-1",), also="sponsor owner exposure",
        ),
        Term(
            "The party in the role sponsor above a loan, over links of 0.70 or better. Of "
            "several, the one with the largest book. The person or trust above it is its owner.",
            called="Sponsor", also="owner",
        ),
        Term(
            "How sure an ownership link is: a confidence from 0.90, from 0.70, and below. A "
            "chain is as sure as its weakest link.",
            fact="confidence_tier", called="Confirmed, probable, inferred",
            also="ownership chain confidence tier",
        ),
        Term(
            "One party under all spellings of its name.",
            called="Resolved entity",
        ),
        Term(
            "Lenders, loans, borrowers and owners with the links between them.",
            called="Capital graph",
        ),
    ),
    "Data": (
        Term(
            "The day that figures are of: the reporting date of the newest source.",
            fact="as_of",
        ),
        Term(
            "Made-up loans, or loans as their source filed them.",
            fact="provenance", called="Demonstration, reported", also="provenance",
        ),
        Term(
            "Whose loans a page is about: all, your own book, a set that you saved, or those "
            "that you watch.",
            called="Scope", also="my book set",
        ),
        Term(
            "Where a figure lies among the loan's peers, counted towards the worse end: 94 is "
            "worse than 94% of them.",
            called="Percentile", also="peers",
        ),
    ),
}  # fmt: skip
#: What each term of a fact says, by the fact.
MEANINGS: Final[Mapping[str, str]] = {
    one.fact: one.meaning for terms in TERMS.values() for one in terms if one.fact
}


def called(words: str) -> list[Term]:
    """The terms that go by these words, or by a part of them, in the order of the page."""
    return [one for terms in TERMS.values() for one in terms if one.is_called(words)]
