"""What a loan is called: by the name of its property, with its number beside it."""

from collections.abc import Iterable, Mapping

from components.frame import licence, session
from components.kit import text
from services.contract.endpoints import LOANS
from services.contract.source import Suggestions


def of(numbers: Iterable[str]) -> Mapping[str, str]:
    """Loan number -> name of its property, on one line, where one is known.

    Empty over an API without its mirror, which names no property in a list, and where the tier that
    pages are seen as opens no loans (D82).
    """
    asked = tuple(sorted(set(numbers)))
    if not (asked and session.leased() and session.mirrored() and licence.opens(LOANS)):
        return {}
    return filed(session.ask(Suggestions.loan_names, asked))


def filed(found: Mapping[str, str | None]) -> Mapping[str, str]:
    """Those of these names that say something, each on one line."""
    return {number: text.line(name) for number, name in found.items() if name and name.strip()}


def beside(number: str, names: Mapping[str, str]) -> str:
    """A loan in running words: Pinnacle Retail Portfolio (13)."""
    return f"{names[number]} ({number})" if number in names else number
