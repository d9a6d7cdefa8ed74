"""What to ask, before anything is sent: paths, parameters, and the service's address. Pure.

Path parameters are percent-encoded whole: a loan number may hold `/`, `#`, `?`, spaces, any script.
"""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal
from urllib.parse import quote, urlsplit

from services.client.snippets import url_of
from services.contract.errors import InvalidRequest, NotFound, SettingsInvalid
from services.contract.queries import (
    EntityQuery,
    LoanQuery,
    PathQuery,
    Query,
    SignalQuery,
    shortened,
)

Read = Literal["loans", "loan", "entities", "ownership", "paths", "signals"]

#: No loan number is longer; an address of any length would not reach the service.
MAX_LOAN_NUMBER: Final = 1_000
HEADERS: Final[Mapping[str, str]] = {"accept": "application/json", "accept-encoding": "gzip"}

_LISTS: Final[dict[type[Query], tuple[Read, str]]] = {
    LoanQuery: ("loans", "/v1/loans"),
    EntityQuery: ("entities", "/v1/entities"),
    PathQuery: ("paths", "/v1/graph/paths"),
    SignalQuery: ("signals", "/v1/signals"),
}


@dataclass(frozen=True, slots=True)
class Request:
    """One GET. The key is not part of it: the transport alone holds it."""

    read: Read
    #: From /v1 on, percent-encoded.
    path: str
    params: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=lambda: dict(HEADERS))

    @property
    def target(self) -> str:
        """Path and query as they go on the wire."""
        return url_of("", self.path, self.params)


def request_for(query: Query) -> Request:
    """The request of a list or graph query (spec 4.1, 4.3, 4.5, 4.6), defaults left out.

    Raises InvalidRequest for text that cannot be written in an address (lone surrogates).
    """
    read, path = _LISTS[type(query)]
    params = query.params()
    for name, value in params.items():
        if not _encodable(value):
            raise InvalidRequest(
                f"Parameter '{name}' is '{shortened(value)}' but must be readable text",
                parameter=name,
            )
    return Request(read, path, params)


def loan_request(loan_number: str) -> Request:
    """The request of one loan (spec 4.2). Raises NotFound for what can be no loan number."""
    return Request("loan", f"/v1/loans/{_segment(loan_number)}")


def ownership_request(loan_number: str) -> Request:
    """The request of one chain (spec 4.4). Raises NotFound for what can be no loan number."""
    return Request("ownership", f"/v1/entities/{_segment(loan_number)}/ownership")


def _segment(loan_number: str) -> str:
    # An empty one would ask for the list instead.
    if not 0 < len(loan_number) <= MAX_LOAN_NUMBER or not _encodable(loan_number):
        raise NotFound(f"No loan has the number '{shortened(loan_number)}'")
    if loan_number in {".", ".."}:
        return loan_number.replace(".", "%2E")  # bare dots mean "this" and "parent" in a path
    return quote(loan_number, safe="")


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def base_address(text: str, *, allow_plain_http: bool = False) -> str:
    """The service's address, checked, without a slash at its end.

    Raises SettingsInvalid unless it is http or https with a host, and nothing that a base cannot
    have: user name or password, query, fragment, the version. Plain http would show the key to the
    network, so beyond this machine it needs `allow_plain_http`. The message never quotes the text:
    what stands before an @ may be a password.
    """
    name = "CREDIT_ATLAS_API_URL"
    try:
        parts = urlsplit(text)
        port, host = parts.port, parts.hostname or ""
        host.encode("idna" if not host.isascii() else "ascii")
    except ValueError:
        raise SettingsInvalid(f"{name} is not a web address; write https://host") from None
    if parts.scheme not in {"http", "https"} or not host or port == 0:
        raise SettingsInvalid(f"{name} must begin with https:// or http:// and name a host")
    if any(c.isspace() or not c.isprintable() for c in text) or "\\" in text:
        raise SettingsInvalid(f"{name} holds a space or another character that no address has")
    if "@" in parts.netloc:
        raise SettingsInvalid(f"{name} must not hold a user name or password; take it out")
    if "?" in text or "#" in text:
        raise SettingsInvalid(f"{name} must end before any '?' or '#'; take the rest out")
    base = text.rstrip("/")
    if base.endswith("/v1"):
        raise SettingsInvalid(f"{name} must not hold the version; take '/v1' off its end")
    if parts.scheme == "http" and not allow_plain_http and not _is_this_machine(host):
        raise SettingsInvalid(
            f"{name} is plain http, over which anyone on the way can read the key; write https, "
            "or set CREDIT_ATLAS_API_PLAIN_HTTP to true if the network is yours"
        )
    return base


def _is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
