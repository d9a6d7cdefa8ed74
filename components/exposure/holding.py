"""How many of a party's loans the reader holds: "We hold 3 of this sponsor's 11 loans"."""

from components.frame import scope, session
from components.kit import text
from components.kit.formatting import count, loan_count
from services.contract.errors import Forbidden, MirrorMissing, NotFound
from services.contract.scope import Holding, Scope
from services.contract.source import Dossiers


def of_party(entity_name: str, whose: str = "this party's") -> None:
    """Of a party's own loans. Nothing where there is no book and no scope."""
    _said(entity_name, whose, family=False)


def of_family(entity_name: str) -> None:
    """Of the loans of a family."""
    _said(entity_name, "this family's", family=True)


def of_sponsor(entity_name: str | None) -> None:
    """Of the loans of a loan's sponsor, where it has one that the licence opens."""
    if entity_name:
        _said(entity_name, f"the sponsor {entity_name}'s", family=False)


def _said(entity_name: str, whose: str, *, family: bool) -> None:
    if (within := scope.ours()) is None:
        return
    try:
        found = session.ask(Dossiers.holding, entity_name, within, family=family)
    except (Forbidden, MirrorMissing, NotFound):
        return  # what else the page shows of it says why
    if found.loans:
        text.sentence(sentence(found, within, whose))


def sentence(found: Holding, within: Scope, whose: str) -> str:
    """We hold 3 of this sponsor's 11 loans; 2 of the other 8 are critical."""
    who = "We hold" if within.kind == "book" else "You watch"
    if within.kind == "set":
        who = f"{within.name[0].upper()}{within.name[1:]} holds"
    others = found.loans - found.held
    if not others:
        every = f"{whose} only loan" if found.loans == 1 else f"all {count(found.loans)} of {whose}"
        return f"{who} {every}." if found.loans == 1 else f"{who} {every} loans."
    ours, rest = count(found.held), f"the other {count(others)}"
    if not found.held:
        ours, rest = "none", "them"
    bad = {"critical": found.others_critical, "severe": found.others_severe}
    said = [(count(number), word) for word, number in bad.items() if number]
    if said:
        (number, word), *more = said
        verb = "is" if number == "1" else "are"
        graded = f"{number} of {rest} {verb} {word}" + "".join(f", {a} {b}" for a, b in more)
    else:
        graded = f"none of {rest} is critical or severe"
    return f"{who} {ours} of {whose} {loan_count(found.loans)}; {graded}."
