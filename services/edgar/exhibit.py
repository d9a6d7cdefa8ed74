"""Exhibit 102 among the files of a filing, or cut out of the text that holds all of them."""

import re
from collections.abc import Sequence
from typing import Final

from services.contract.errors import BadPayload
from services.importers.sec_absee.submission import spans

_DATA: Final = b"http://www.sec.gov/edgar/document/absee/cmbs/assetdata"
#: Where the namespace stands, and where the last tag does.
_HEAD, _TAIL = 1 << 16, 1 << 12
_END: Final = re.compile(rb"</(\w+:)?assetData\s*>")
_HTML: Final = re.compile(rb"\s*(<!doctype\s+html|<html)\b", re.IGNORECASE)


def candidates(names: Sequence[str]) -> list[str]:
    """The XML among the files of a filing; first what is called after the exhibit."""
    found = [name for name in names if name.lower().endswith(".xml")]
    return sorted(found, key=lambda name: ("102" not in name, name))


def is_exhibit(path: str, raw: bytes) -> bool:
    """Whether a file is asset data of commercial mortgages, and whole.

    Raises BadPayload for one that is broken off, and for an HTML page in its place.
    """
    if _HTML.match(raw):
        raise BadPayload(f"{path} is an HTML page; check the address", path=path)
    if _DATA not in raw[:_HEAD]:
        return False
    if not _END.search(raw[-_TAIL:]):
        raise BadPayload(f"{path} is broken off; run the command again", path=path)
    return True


def cut(path: str, raw: bytes) -> bytes | None:
    """The Exhibit 102 in a complete submission, None where it has none. Raises BadPayload for what
    is no whole submission.
    """
    if b"<SEC-DOCUMENT>" not in raw[:_HEAD] or b"</SEC-DOCUMENT>" not in raw[-_TAIL:]:
        raise BadPayload(f"{path} is no whole submission; run the command again", path=path)
    found = (raw[start:end].strip() for start, end in spans(raw))
    return next((body for body in found if is_exhibit(path, body)), None)
