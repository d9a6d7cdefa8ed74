"""The worst signal of a loan, and why it fired."""

from components.frame import session
from components.kit import severity, text
from components.kit.formatting import words
from components.kit.text import element
from services.contract.source import Dossiers


def sentence(number: str) -> None:
    """Draws the worst signal as a chip, with what fired and the sentence in which it was found."""
    signals = session.ask(Dossiers.signals_of, number)
    worst = max(signals, key=lambda one: severity.rank(one.severity), default=None)
    if worst is None:
        text.caption("No signal.")
        return
    chip = severity.chip(severity.label(worst.severity))
    said = f"{words(worst.signal_type)}. {worst.description or ''}"
    text.show(element("p", chip, " ", said, class_="atlas-why", tabindex="0"))
