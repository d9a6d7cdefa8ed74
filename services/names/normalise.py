"""Names made comparable: one key for every spelling of the same name (D9).

What is ignored: case, accents, punctuation, `the`, and the legal form. What is kept: every word
that tells one party from another, also "bank", "trust" and "partners".
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Sequence
from importlib.resources import files

from services.contract.vocabulary import STATES

#: One legal form as the words it is written with.
_Form = tuple[str, ...]

#: Letters that Unicode does not take apart into a base and an accent.
_LETTERS = str.maketrans(
    dict(zip("łøđðħ\u0131", "loddhi", strict=True)) | {"æ": "ae", "œ": "oe", "þ": "th"}
)
_APOSTROPHES = "'`\u2018\u2019\u02bc\u02b9"
_ASCII = {
    code: chr(code).lower() if chr(code).isalnum() else " " for code in range(128)
} | dict.fromkeys(map(ord, _APOSTROPHES))
_ASCII[ord("&")] = " and "
#: "N.A.", "L.L.C", "J.P.": single letters with dots between are one word.
_DOTTED = re.compile(r"\b[^\W\d_](?:\.[^\W\d_])+\b")


def _by_word(forms: Iterable[str], position: int) -> dict[str, tuple[_Form, ...]]:
    """Forms by their first (0) or last (-1) word, longest first."""
    split = sorted((tuple(form.split()) for form in forms), key=len, reverse=True)
    found: dict[str, list[_Form]] = {}
    for form in split:
        found.setdefault(form[position], []).append(form)
    return {word: tuple(listed) for word, listed in found.items()}


_DATA = tomllib.loads((files(__package__) / "legal_forms.toml").read_text(encoding="utf-8"))
_SUFFIXES = _by_word(_DATA["suffixes"], -1)
_PREFIXES = _by_word(_DATA["prefixes"], 0)
_WRITTEN_OUT = _by_word(_DATA["written_out"], -1)
_PLACES = frozenset(tuple(name.lower().replace(".", "").split()) for name in STATES.values())
#: Words that may end a name only after something was dropped behind them, or in a register's
#: inverted order ("First National Bank of Buhl, The").
_LOOSE_ENDS = frozenset({"the", "and"})


def _unaccented(text: str) -> str:
    """Text in lower case without accents; other scripts stay as they are."""
    whole = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(c for c in whole if not unicodedata.combining(c)).translate(_LETTERS)


def _letter(character: str) -> str:
    """The character if it writes a word, else what stands for it."""
    if character.isalnum() or unicodedata.category(character)[0] == "M":
        return character
    if character in _APOSTROPHES:
        return ""
    return " and " if character == "&" else " "


def folded(name: str) -> list[str]:
    """Words of a name in lower case, without accents and punctuation, legal form included."""
    if name.isascii():
        if "." in name:
            name = _DOTTED.sub(lambda found: found[0].replace(".", ""), name)
        return name.translate(_ASCII).split()
    name = _unaccented(name)
    name = _DOTTED.sub(lambda found: found[0].replace(".", ""), name)
    return "".join(map(_letter, name)).split()


def _suffix_start(words: Sequence[str], start: int, end: int) -> int:
    """Where the legal form at the end of `words[start:end]` begins; `end` when there is none."""
    for form in _SUFFIXES.get(words[end - 1], ()):
        begin = end - len(form)
        if begin >= start and tuple(words[begin:end]) == form:
            return begin
    return end


def _written_out_start(words: Sequence[str], start: int, end: int) -> int:
    """Where "a Delaware limited liability company" begins; `end` when there is none."""
    for form in _WRITTEN_OUT.get(words[end - 1], ()):
        begin = end - len(form)
        if begin <= start or tuple(words[begin:end]) != form:
            continue
        for article in range(begin - 1, max(start, begin - 5), -1):
            place = tuple(words[article + 1 : begin])
            if words[article] in {"a", "an"} and (place in _PLACES or (not place and form[1:])):
                return article
    return end


def _bare(words: list[str]) -> list[str]:
    """Words without legal forms and `the`; all of them when nothing else would be left."""
    start, end = 0, len(words)
    while start < end:
        before = (start, end)
        end = _written_out_start(words, start, end)
        end = _suffix_start(words, start, end) if end > start else end
        if end > start and words[end - 1] in _LOOSE_ENDS:
            end -= 1
        if start < end and words[start] == "the":
            start += 1
        elif start < end and words[start] in _PREFIXES:
            for form in _PREFIXES[words[start]]:
                if tuple(words[start : start + len(form)]) == form:
                    start += len(form)
                    break
        if (start, end) == before:
            return words[start:end]
    return words


def bare_words(name: str) -> list[str]:
    """Words of the normalised key of a name, in their order (D9)."""
    return _bare(folded(name))


def key(name: str) -> str:
    """Normalised key of a name: words in lower case, one space between them (D9).

    "The Procter & Gamble Co." -> "procter and gamble"; "Bank of America, N.A." ->
    "bank of america". A name that is nothing but a legal form keeps its words; "" comes only
    from text without a letter or a digit. The key of a key is itself.
    """
    return " ".join(_bare(folded(name)))


def words(name: str) -> frozenset[str]:
    """The different words of the normalised key of a name (D9)."""
    return frozenset(_bare(folded(name)))


def keys(names: Iterable[str]) -> list[str]:
    """Normalised keys of many names, in their order; a repeated name is worked out once."""
    known: dict[str, str] = {}
    result = []
    for name in names:
        found = known.get(name)
        if found is None:
            found = known[name] = " ".join(_bare(folded(name)))
        result.append(found)
    return result
