"""A party's name taken apart into what is compared of it."""

import re
from dataclasses import dataclass
from typing import Final

from services.names.normalise import bare_words, folded
from services.names.search_text import spoken_words

#: Whoever receives the mail is not who owns: "% CASSESA MGMT", "C/O J. Smith".
_CARE_OF: Final = re.compile(r"\s(?:%|#(?=\s?[A-Z])|c/o\b|in care of\b|attn\b).*", re.IGNORECASE)
#: Others beside the named one, who are not named.
_AND_OTHERS: Final = re.compile(r"[\s,&]+et\.?\s?al\.?s?\.?$", re.IGNORECASE)
_ROMAN: Final = {
    numeral: str(number)
    for number, numeral in enumerate(
        [
            "i",
            "ii",
            "iii",
            "iv",
            "v",
            "vi",
            "vii",
            "viii",
            "ix",
            "x",
            "xi",
            "xii",
            "xiii",
            "xiv",
            "xv",
            "xvi",
            "xvii",
            "xviii",
            "xix",
            "xx",
        ],
        1,
    )
}
#: Legal forms that are one, by their words without spaces.
_ONE_FORM: Final = {
    "limitedliabilitycompany": "llc", "limitedliabilityco": "llc", "ltdliabilitycompany": "llc",
    "ltdliabilityco": "llc", "lc": "llc", "limitedpartnership": "lp", "ltdpartnership": "lp",
    "incorporated": "inc", "corporation": "inc", "corp": "inc", "company": "co", "limited": "ltd",
    "nationalassociation": "na", "natlassn": "na", "natlassoc": "na", "natassn": "na",
    "natassoc": "na", "nationalassoc": "na", "nationalassn": "na",
    "nationalbankingassociation": "na", "aktiengesellschaft": "ag",
    "publiclimitedcompany": "plc",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Spelling:
    """What of a name is compared. Each is lower case, words apart by one space."""

    #: Abbreviations written out, legal form and "care of" left out.
    words: str
    #: The same without numbers.
    letters: str
    #: Numbers, Roman numerals and single letters in their order: what tells "Fund II" from
    #: "Fund III".
    numbers: str
    #: Legal form; "" where none is written.
    form: str


def spelled(name: str) -> Spelling:
    """A name as it is compared."""
    bare = _AND_OTHERS.sub("", _CARE_OF.sub("", name).strip()).strip() or name
    words = spoken_words(bare)
    told = [_ROMAN.get(word, word) if at else word for at, word in enumerate(words)]
    numbers = [word for word in told if _tells_apart(word)]
    letters = [word for word in told if not _tells_apart(word)]
    return Spelling(" ".join(words), " ".join(letters), " ".join(numbers), _form(bare))


def _tells_apart(word: str) -> bool:
    return any(map(str.isdigit, word)) or len(word) == 1


def _form(name: str) -> str:
    whole, bare = folded(name), bare_words(name)
    for start in range(len(whole)):
        if whole[start : start + len(bare)] == bare:
            form = "".join(whole[start + len(bare) :])
            # "Company, National Association" is what "National Association" is.
            return next((one for said, one in _ONE_FORM.items() if form.endswith(said)), form)
    return ""
