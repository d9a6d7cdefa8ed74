"""Calendar feeds: an address with an unguessable token that a calendar program reads by itself."""

import re
from datetime import datetime
from hashlib import sha256
from typing import Final, Protocol

from .records import Record

#: Bytes of chance in a token; `secrets.token_urlsafe` writes them.
TOKEN_BYTES: Final = 32
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)


class Feed(Record):
    """A user's feed. Its token is not kept anywhere, only what it is known by."""

    owner: str
    made_at: datetime


class Feeds(Protocol):
    """Feeds on the desk, one a user. Every call raises DeskUnavailable where it cannot be done."""

    def make_feed(self, owner: str) -> str:
        """A new feed in place of an earlier one; its token, which is given this once."""
        ...

    def revoke_feed(self, owner: str) -> None:
        """Takes the feed away; its token opens nothing from then on."""
        ...

    def feed_of(self, owner: str) -> Feed | None:
        """The feed of a user, if they have one."""
        ...

    def feed_by(self, token: str) -> Feed | None:
        """The feed that a token opens; None for any other text."""
        ...


def hashed(token: str) -> str | None:
    """What a token is known by; None for what cannot be one."""
    return sha256(token.encode("ascii")).hexdigest() if _TOKEN.fullmatch(token) else None
