"""The text that the search index compares: a name's key with its abbreviations written out."""

import tomllib
from importlib.resources import files

from services.names.normalise import bare_words

#: Words that are remembered, so that a million names do not fill the memory with their numbers.
_REMEMBERED = 200_000

_EXPANSIONS: dict[str, str] = tomllib.loads(
    (files(__package__) / "abbreviations.toml").read_text(encoding="utf-8")
)["expansions"]
_TRIGRAMS: dict[str, str] = {}


def spoken_words(name: str) -> list[str]:
    """Words of the key of a name, abbreviations written out: "Alder Props LP" -> alder properties.

    The same for names and for questions, so that both sides of a comparison agree.
    """
    expanded: list[str] = []
    for word in bare_words(name):
        written_out = _EXPANSIONS.get(word)
        if written_out is None:
            expanded.append(word)
        else:
            expanded.extend(written_out.split())
    return expanded


def _trigrams_of(word: str) -> str:
    """Trigrams of a word between its marked ends, one space between them."""
    marked = f"^{word}$"
    return " ".join(marked[at : at + 3] for at in range(len(marked) - 2))


def trigrams(words: list[str]) -> str:
    """Trigrams of words, one space between them: ["alder"] -> "^al ald lde der er$".

    The ends are marked so that how a word begins counts; no trigram spans two words, so that
    their order does not.
    """
    found = []
    for word in words:
        known = _TRIGRAMS.get(word)
        if known is None:
            known = _trigrams_of(word)
            if len(_TRIGRAMS) < _REMEMBERED:
                _TRIGRAMS[word] = known
        found.append(known)
    return " ".join(found)
