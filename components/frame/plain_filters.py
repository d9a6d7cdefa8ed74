"""Filters of loans in plain words: "critical office in TX", "retail over 20m maturing in 2 years".

Every word has to be understood, or none of it is a filter: a word that is dropped without a trace
would widen the result.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

from services.contract.facts import FACT
from services.contract.loan_filter import CONDITIONS
from services.contract.schedule_al import PROPERTY_TYPES
from services.contract.vocabulary import SEVERITIES, STATES

#: How a type of property is called beside its own word.
_ALSO: Final = {
    "hotel": PROPERTY_TYPES["LO"],
    "apartment": PROPERTY_TYPES["MF"],
    "storage": PROPERTY_TYPES["SS"],
    "mixed-use": PROPERTY_TYPES["MU"],
}
_TYPES: Final = {word: word for word in PROPERTY_TYPES.values()} | _ALSO
_STATES: Final = {name.casefold(): code for code, name in STATES.items()}
_TIMES: Final = {"": 1, "k": 1e3, "m": 1e6, "mm": 1e6, "b": 1e9, "bn": 1e9}
#: Label of a figure -> what its two bounds are called after "min_" and "max_".
_FIGURES: Final = {
    FACT[one.column].label.casefold(): name.removeprefix("min_")
    for name, one in CONDITIONS.items()
    if one.test == "at least"
}
_MORE: Final = r"over|above|at least|from|>=?"
_LESS: Final = r"under|below|at most|up to|<=?"
_NUMBER: Final = r"(\d+(?:\.\d+)?)"
_FILLING: Final = frozenset({
    "a", "all", "and", "are", "at", "by", "for", "in", "is", "of", "on", "or", "signal", "signals",
    "the", "their", "to", "which", "with", "within", "loan", "loans", "property", "properties",
})  # fmt: skip

Found = dict[str, str]


def _any(words: Mapping[str, object], plural: str = "") -> str:
    listed = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return rf"\b({listed}){plural}\b"


def _severity(match: "re.Match[str]") -> Found:
    at = SEVERITIES.index(match[1].casefold())
    worse = [word for word in SEVERITIES if SEVERITIES.index(word) >= at]
    return {"severity": ",".join(reversed(worse)) if match[2] else SEVERITIES[at]}


def _months(match: "re.Match[str]") -> str:
    years = match[2].casefold().startswith("y")
    return str(int(match[1]) * (12 if years else 1))


def _figure(match: "re.Match[str]") -> Found:
    bound = "min" if re.fullmatch(rf"{_MORE}", match[2], re.IGNORECASE) else "max"
    return {f"{bound}_{_FIGURES[match[1].casefold()]}": match[3]}


def _balance(match: "re.Match[str]") -> Found:
    bound = "min" if re.fullmatch(rf"{_MORE}", match[1], re.IGNORECASE) else "max"
    return {f"{bound}_balance": str(round(float(match[2]) * _TIMES[match[3].casefold()]))}


_GRADE: Final = _any(dict.fromkeys(SEVERITIES))
_FIGURE: Final = _any(_FIGURES)
_TYPE: Final = _any(_TYPES, "s?")
_STATE: Final = _any(_STATES)
_CODES: Final = "|".join(STATES)
_SPAN: Final = r"(?:the\s+next\s+)?(\d+)\s+(months?|years?)\b"
#: In the order in which they are looked for; what one has taken, the next does not see.
_PHRASES: Final[tuple[tuple["re.Pattern[str]", Callable[["re.Match[str]"], Found]], ...]] = (
    (re.compile(rf"(?i){_GRADE}(\s+(?:or|and)\s+worse)?"), _severity),
    (
        re.compile(rf"(?i)\bleases?\s+(?:expir|end|roll)\w*\s+(?:with)?in\s+{_SPAN}"),
        lambda match: {"leases_within": _months(match)},
    ),
    (
        re.compile(rf"(?i)\b(?:matur\w+|due|next)\s+(?:with)?(?:in\s+)?{_SPAN}"),
        lambda match: {"matures_within": _months(match)},
    ),
    (re.compile(rf"(?i){_FIGURE}\s+({_MORE}|{_LESS})\s*{_NUMBER}\s*[%x]?(?=\s|$)"), _figure),
    (re.compile(rf"(?i)(?<!\S)({_MORE}|{_LESS})\s*\$?{_NUMBER}(k|mm?|bn?)(?=\s|$)"), _balance),
    (re.compile(r"(?i)\bspecial servicing\b"), lambda _: {"special_servicing": "yes"}),
    (re.compile(r"(?i)\bdefeased\b"), lambda _: {"defeased": "yes"}),
    (re.compile(rf"(?i){_TYPE}"), lambda match: {"property_type": _TYPES[match[1].casefold()]}),
    (re.compile(rf"(?i){_STATE}"), lambda match: {"state": _STATES[match[1].casefold()]}),
    (re.compile(rf"(?i)(?<=\bin )({_CODES})\b"), lambda match: {"state": match[1].upper()}),
)
#: A code of a state by itself counts in capitals only: "in", "or" and "me" are words.
_CODE: Final = re.compile(rf"\b({_CODES})\b")


def read(asked: str) -> Found:
    """Parameters of the Loans page; empty where a word of it is none of a filter."""
    found: dict[str, list[str]] = {}

    def taken(means: Callable[["re.Match[str]"], Found]) -> Callable[["re.Match[str]"], str]:
        def take(match: "re.Match[str]") -> str:
            for name, value in means(match).items():
                found.setdefault(name, []).append(value)
            return " "

        return take

    rest = asked.replace(",", " ")
    for phrase, means in _PHRASES:
        rest = phrase.sub(taken(means), rest)
    rest = _CODE.sub(taken(lambda match: {"state": match[1]}), rest)
    several = {"severity", "property_type", "state"}
    if set(rest.casefold().split()) - _FILLING or any(
        len(values) > 1 and name not in several for name, values in found.items()
    ):
        return {}
    return {name: ",".join(dict.fromkeys(values)) for name, values in found.items()}
