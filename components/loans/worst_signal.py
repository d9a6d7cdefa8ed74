"""The worst signal of a loan, and why it fired."""

from collections.abc import Iterable
from typing import Final

from components.frame import session
from components.frame.ledger import Column
from components.kit import severity, text
from components.kit.formatting import words
from components.kit.text import Markup, element
from components.loans import rule_rows
from components.loans.columns import Values
from services.contract.disposition import without_signal
from services.contract.records import Signal
from services.contract.source import Dossiers

#: Characters of why a loan is in a list.
_LONGEST_WHY: Final = 110


def sentence(number: str, disposition: str | None = None) -> None:
    """Draws the worst signal as a chip, with what fired and the sentence in which it was found; of
    a loan without one what that says of a loan that stands or ended so, and what contagion says.
    """
    signals = session.ask(Dossiers.signals_of, number)
    worst = among(signals)
    if worst is None:
        leads = (one.description for one in signals if one.description)
        text.caption(" ".join((without(without_signal(disposition)), *leads)))
        return
    chip = severity.chip(severity.label(worst.of_itself))
    said = f"{words(worst.signal_type)}. {worst.description or ''}"
    text.show(element("p", chip, Markup(" "), said, class_="atlas-why", tabindex="0"))


def among(signals: Iterable[Signal]) -> Signal | None:
    """The worst signal of the loan itself; None where contagion alone fired (D279), or nothing."""
    found = [one for one in signals if one.of_itself]
    return max(found, key=lambda one: severity.rank(one.of_itself), default=None)


def without(word: str | None) -> str:
    """A word of UNGRADED as a sentence."""
    return f"{severity.label(word).capitalize()}."


def why(numbers: Iterable[str]) -> Column[Values]:
    """A column of a list of these loans: what their rules found, the worst first.

    Raises Forbidden where the tier does not open signals.
    """
    whys = {
        number: rule_rows.why(session.ask(Dossiers.signals_of, number), _LONGEST_WHY)
        for number in numbers
    }
    return Column("why", "Why", lambda values: whys[values["loan_number"]])
