"""The service's address as a setting names it: checked before a key is sent there."""

import ipaddress
from urllib.parse import urlsplit

from services.contract.errors import SettingsInvalid


def base_address(
    text: str,
    *,
    name: str = "CREDIT_ATLAS_API_URL",
    risk: str = "read the key",
    allow_plain_http: bool = False,
) -> str:
    """The service's address, checked, without a slash at its end; `name` is what a sentence calls
    it, `risk` what anyone on the way of plain http could do.

    Raises SettingsInvalid unless it is http or https with a host, and nothing that a base cannot
    have: user name or password, query, fragment, the version. Plain http is open to the network, so
    beyond this machine it needs `allow_plain_http`. The message never quotes the text: what stands
    before an @ may be a password.
    """
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
            f"{name} is plain http, over which anyone on the way can {risk}; write https, "
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
