"""EDGAR over the network, politely: who asks is said, ten requests a second are never reached."""

import time
from collections.abc import Callable
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Final, Self
from urllib.parse import urlsplit

import httpx

from services.client.body import Body
from services.client.budget import retry_after
from services.client.failures import WINDOW_SECONDS
from services.client.protocol import OK, Answer, Dropped, retry_delay
from services.contract.errors import (
    BadPayload,
    CreditAtlasError,
    ImportRefused,
    InternalError,
    NotFound,
    RateLimited,
    SettingsInvalid,
    Unreachable,
)
from services.contract.queries import shortened
from services.edgar.folder import MOST_BYTES
from services.edgar.places import SEC
from services.edgar.records import names_of

#: Seconds between two requests: the SEC allows ten a second.
APART: Final = 0.125
#: Longest Retry-After that is waited out, seconds; the SEC bars for ten minutes.
LONGEST_WAIT: Final = 600.0
_TIMEOUT: Final = 30.0
_WHOLE_ANSWER: Final = 600.0


class Web:
    """A Base that is sec.gov, or the mirror at `address`. Close it, or use `with`.

    `agent` says who asks, as the SEC demands. Redirects are not followed: no other host is asked.
    """

    def __init__(
        self,
        agent: str,
        address: str | None = None,
        *,
        trust_env: bool = False,
        most_bytes: int = MOST_BYTES,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._address = address
        self._most_bytes = most_bytes
        self._clock, self._sleep = clock, sleep
        self._next = clock()
        try:
            self._client = httpx.Client(
                headers={"user-agent": agent, "accept-encoding": "gzip", "accept": "*/*"},
                cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
                follow_redirects=False,
                trust_env=trust_env,
                timeout=_TIMEOUT,
            )
        except (httpx.InvalidURL, ValueError, OSError):
            raise SettingsInvalid(
                "The proxy or certificate settings of the environment cannot be used; correct "
                "them, or set CREDIT_ATLAS_API_TRUST_ENV to false"
            ) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def names(self, folder: str) -> list[str]:
        """See Base."""
        path = f"{folder}/index.json"
        return names_of(path, self.read(path))

    def read(self, path: str) -> bytes:
        """See Base. What may pass (429, 5xx, a broken connection) is tried three times.

        Raises NotFound, RateLimited, InternalError, Unreachable, BadPayload, and ImportRefused for
        a request that is refused or sent elsewhere.
        """
        url = f"{self._address or SEC[path.partition('/')[0]]}/{path}"
        attempt = 1
        while True:
            try:
                return self._once(url)
            except CreditAtlasError as error:
                delay = retry_delay(error, attempt, lambda: 0.0, cap=LONGEST_WAIT)
                if delay is None:
                    raise
                self._sleep(delay)
                attempt += 1

    def _once(self, url: str) -> bytes:
        self._sleep(max(0.0, self._next - self._clock()))
        self._next = self._clock() + APART
        try:
            answer = self._exchange(url)
        except httpx.TimeoutException:
            raise Unreachable(f"{url} did not answer in time; run the command again") from None
        except (httpx.NetworkError, httpx.RemoteProtocolError):
            raise Dropped(
                f"{url} cannot be reached, or broke off; check the network and run the command "
                "again"
            ) from None
        except (httpx.HTTPError, httpx.InvalidURL) as fault:
            raise Unreachable(f"{url} could not be asked ({type(fault).__name__})") from None
        if answer.status == OK:
            return answer.body
        raise _failure(url, answer)

    def _exchange(self, url: str) -> Answer:
        ends = self._clock() + _WHOLE_ANSWER
        with self._client.stream("GET", url) as response:
            packed = response.headers.get("content-encoding", "").strip().lower()
            body = Body(url, packed, self._most_bytes, remedy="no filing of loans is that large")
            length = response.headers.get("content-length", "")
            if length.isascii() and length.isdigit():
                body.expect(int(length[:18]))
            for piece in response.iter_raw():
                body.feed(piece)
                if self._clock() > ends:
                    raise httpx.ReadTimeout("the answer as a whole", request=response.request)
            headers = {name.lower(): value for name, value in response.headers.items()}
            return Answer(response.status_code, headers, body.whole())


def _failure(url: str, answer: Answer) -> CreditAtlasError:
    status = answer.status
    match status:
        case 404:
            return NotFound(f"{url} is not there")
        case 403:
            return ImportRefused(
                f"{url} is refused (status 403): CREDIT_ATLAS_EDGAR_USER_AGENT must name your firm "
                "and an e-mail address; who asked too fast is let in again after ten minutes"
            )
        case 429:
            wait = retry_after(answer.headers, time.time()) or WINDOW_SECONDS
            return RateLimited(
                f"{url}: too many requests come from here; run the command again in {wait} s",
                retry_after=wait,
            )
        case _ if status >= 500:  # noqa: PLR2004 - a class of statuses
            return InternalError(f"{url} failed (status {status}); run the command again later")
        case _ if 300 <= status < 400:  # noqa: PLR2004
            return ImportRefused(_redirected(url, answer.headers.get("location", "")))
        case _:
            return BadPayload(f"{url}: status {status} is not one that EDGAR has", path=url)


def _redirected(url: str, location: str) -> str:
    try:
        host = urlsplit(location).hostname
    except ValueError:
        host = None
    where = f"to {shortened(host)}" if host else "elsewhere"
    return f"{url} sends the request {where}, which is not followed; name the final address"
