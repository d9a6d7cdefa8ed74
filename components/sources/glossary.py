"""The Glossary page: what each term means, the limits of its rules, and where loans lack it."""

from collections.abc import Mapping, Sequence
from typing import Final

from components.frame import address, exports, filter_bar, session
from components.frame.fields import Letters
from components.frame.filters import Filter
from components.frame.routes import GLOSSARY
from components.kit import tables, text
from services.contract.facts import FACT
from services.contract.glossary import TERMS, Term, called
from services.contract.queries import Query, Word
from services.contract.snapshot_info import RuleCard
from services.contract.source import Inventory

FIND: Final = Filter(
    "find",
    Letters(label="Find", empty="A term, or a word of its meaning", wide=True),
    lambda value: f"with “{value}”",
)


class GlossaryView(Query):
    """Which terms are shown: those called so, else those that speak of it."""

    find: Word | None = None


def glossary_view() -> GlossaryView | None:
    """What the address asks for, with its field; None where the address is at fault."""
    asked = address.asked(GlossaryView, GLOSSARY)
    return asked and address.settled(asked, filter_bar.bar((FIND,), GlossaryView), ())


def found(view: GlossaryView) -> dict[str, list[Term]]:
    """The terms that are shown, by subject."""
    if not (sought := view.find):
        return {subject: list(terms) for subject, terms in TERMS.items()}
    named = called(sought)
    matches = {
        subject: [one for one in terms if (one in named if named else one.speaks_of(sought))]
        for subject, terms in TERMS.items()
    }
    return {subject: terms for subject, terms in matches.items() if terms}


def listed(terms: Mapping[str, Sequence[Term]]) -> None:
    """A table for each subject."""
    cards = _cards()
    for subject, of_it in terms.items():
        text.heading(subject, level=2, part=part_of(subject))
        tables.plain([_row(one, cards) for one in of_it], subject)


def part_of(subject: str) -> str:
    """The name by which links lead to a subject."""
    return subject.casefold().replace(" ", "-")


def export(terms: Mapping[str, Sequence[Term]]) -> exports.Export:
    """The same rows, with their subjects."""
    cards = _cards()
    rows = [{"Subject": subject} | _row(one, cards) for subject, of in terms.items() for one in of]
    return exports.of_rows("glossary", "Glossary", rows)


def _cards() -> dict[str, RuleCard]:
    """The rules that scored what is loaded, by their names; none over an API without its mirror."""
    found = session.ask(Inventory.rules) if session.mirrored() else ()
    return {one.id: one for one in found}


def _row(one: Term, cards: Mapping[str, RuleCard]) -> dict[str, str]:
    graded = [cards[rule] for rule in one.rules if rule in cards]
    fact = FACT.get(one.fact)
    missing = f" Missing where {fact.missing}." if fact and fact.missing else ""
    return {
        "Term": one.name,
        "What it is": one.meaning + missing,
        "Limits": " ".join(
            f"{card.id} {card.title}: {', '.join(map(' '.join, card.ladder))}." for card in graded
        ),
    }
