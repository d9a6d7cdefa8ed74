"""Names of files to take away: what is in them, in letters that every system takes."""

import re
import unicodedata
from typing import Final

#: Letters of a name: with the folder it stands in, older systems take 260.
_LONGEST: Final = 100


def stem(*said: str) -> str:
    """credit-atlas-dscr-by-ltv-office-loans-in-texas: the words, without those that do not fit."""
    plain = unicodedata.normalize("NFKD", " ".join(said)).encode("ascii", "ignore").decode()
    found = "credit-atlas"
    for word in re.findall(r"[a-z0-9]+", plain.casefold().replace("'", "")):
        if len(found) + 1 + len(word) > _LONGEST:
            break
        found += f"-{word}"
    return found
