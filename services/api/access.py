"""Who is asking, what they may read and how much they may ask (spec 5 and 8)."""

import asyncio
import ipaddress
from collections.abc import Mapping
from concurrent.futures import Executor
from typing import Any, Final

from services.contract.access import LicenceTier
from services.contract.endpoints import Endpoint
from services.contract.errors import Forbidden, RateLimited, Unauthorized
from services.contract.refusals import require_party_tier, require_tier

from .exchange import Exchange
from .keys import Environment, Key, KeyRing
from .limiting import Allowance, Limiter, RateState

_HOW: Final = "send it as the header 'Authorization: Bearer <API_KEY>'"
_IPV6_NETWORK: Final = 64


class Access:
    """Finds who asks, and counts the request."""

    def __init__(
        self,
        keys: KeyRing,
        allowances: Mapping[LicenceTier | None, Allowance],
        by_key: Limiter,
        by_address: Limiter,
        pool: Executor,
    ) -> None:
        self._keys = keys
        self._allowances = allowances
        self._by_key = by_key
        self._by_address = by_address
        self._pool = pool
        self._local = keys.local and by_key.local and by_address.local

    async def count(self, exchange: Exchange) -> None:
        """Counts the request against its key, or its address when the key is not good (D20).

        Sets `key` and `rate` of the exchange. Raises RateLimited, and ServiceUnavailable when keys
        or counts cannot be asked for.
        """
        if exchange.rate is not None:
            return
        if self._local:
            rate = self._take(exchange)
        else:
            loop = asyncio.get_running_loop()
            rate = await loop.run_in_executor(self._pool, self._take, exchange)
        exchange.rate = rate
        key = exchange.key
        if rate.retry_after:
            used = "daily quota" if rate.daily_remaining == 0 else "rate per minute"
            whose = "this key" if key else "requests without a valid key"
            raise RateLimited(
                f"The {used} of {whose} is used up; try again in {rate.retry_after:,} seconds",
                retry_after=rate.retry_after,
            )

    def _take(self, exchange: Exchange) -> RateState:
        scope = exchange.scope
        exchange.key = key = self._known(scope)
        if key is None:
            subject = f"address/{bucket_of(scope.get('client'))}"
            return self._by_address.take(subject, self._allowances[None])
        return self._by_key.take(f"key/{key.id}", self._allowances[key.tier])

    def _known(self, scope: Mapping[str, Any]) -> Key | None:
        secret = bearer(scope["headers"])
        return self._keys.find(secret) if secret else None


def bearer(headers: list[tuple[bytes, bytes]]) -> str | None:
    """The key that a request carries, or None when it carries none, two, or another scheme."""
    sent = [value for name, value in headers if name == b"authorization"]
    if len(sent) != 1:
        return None
    scheme, _, secret = sent[0].decode("latin-1").partition(" ")
    return secret.strip() if scheme.casefold() == "bearer" else None


def require(
    exchange: Exchange, endpoint: Endpoint[Any, Any], environments: frozenset[Environment]
) -> Environment:
    """The environment that a request reads.

    Raises Unauthorized without a good key, Forbidden when its tier does not cover the endpoint.
    """
    return require_key(exchange, environments, endpoint.tiers)


def require_key(
    exchange: Exchange,
    environments: frozenset[Environment],
    tiers: tuple[LicenceTier, ...] | None = None,
) -> Environment:
    """The environment of a request's key; without `tiers` whatever its tier. See `require`."""
    key = exchange.key
    if key is None:
        sent = any(name == b"authorization" for name, _ in exchange.scope["headers"])
        what = "The API key is not valid or was revoked" if sent else "No API key was given"
        raise Unauthorized(f"{what}; {_HOW}")
    if tiers is not None:
        require_tier(key.tier, tiers)
    if key.environment not in environments:
        raise Forbidden(
            f"This key is for the {key.environment} environment, which is not served here"
        )
    return key.environment


def require_parties(
    exchange: Exchange, endpoint: Endpoint[Any, Any], question: tuple[Any, ...]
) -> None:
    """Raises Forbidden where a question names parties and the key's tier opens none (D141)."""
    if exchange.key is not None:
        require_party_tier(exchange.key.tier, endpoint.tiers_for(question))


def bucket_of(client: object) -> str:
    """The address that requests without a key are counted by: an IPv6 network counts as one."""
    host = str(client[0]) if isinstance(client, tuple | list) and client else "unknown"
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host[:64]
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((int(address), _IPV6_NETWORK), strict=False))
    return str(address)
