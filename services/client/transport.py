"""Sockets, and the key. The only module that imports httpx; all else takes its `Answer`.

The key stands in one place on the wire, the Authorization header, and nowhere else: not in the
request objects, errors, logs or reprs, and it is struck out of what a server echoes.
"""

import json
import logging
import ssl
import time
from collections.abc import Callable, Generator, Mapping
from http.cookiejar import CookieJar, DefaultCookiePolicy
from importlib.metadata import PackageNotFoundError, version
from typing import Final, Self
from urllib.parse import quote

import httpx
from pydantic import SecretStr

from services.client.address import base_address
from services.client.body import Body
from services.client.protocol import Answer, Dropped
from services.contract.errors import CreditAtlasError, SettingsInvalid, Unreachable
from services.contract.requests import KEY_VARIABLE, Request

HEADERS: Final[Mapping[str, str]] = {"accept": "application/json", "accept-encoding": "gzip"}
TIMEOUT_SECONDS: Final = 20.0
MAX_BYTES: Final = 10_000_000
_CONNECT_SECONDS: Final = 5.0
_CONNECTIONS: Final = 20
_IDLE_SECONDS: Final = 30.0
#: A shorter key may be an ordinary word of the data: it is struck out after "Bearer" only.
_TELLING_KEY: Final = 8

# At DEBUG httpcore logs the headers of answers, and a server may echo the key in one.
logging.getLogger("httpcore").setLevel(logging.INFO)


class Transport:
    """A pool of connections to one service. Safe for several threads; close it, or use `with`.

    `timeout_seconds` bounds each wait for the network and the reading of a whole answer;
    `max_bytes` an answer, packed or unpacked. `trust_env` takes proxy and certificate settings from
    the environment: off, because whoever sets HTTP_PROXY or SSL_CERT_FILE there would see the key;
    a closed network that reaches the service through its proxy sets it on.
    Raises SettingsInvalid for an address or key that cannot be used.
    """

    def __init__(
        self,
        base_url: str,
        key: SecretStr,
        *,
        timeout_seconds: float = TIMEOUT_SECONDS,
        max_bytes: int = MAX_BYTES,
        trust_env: bool = False,
        allow_plain_http: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.base_url = base_address(base_url, allow_plain_http=allow_plain_http)
        self._auth = _Bearer(key)
        self._timeout_seconds = timeout_seconds
        self._max_bytes = max_bytes
        self._clock = clock
        try:
            self._client = httpx.Client(
                auth=self._auth,
                headers={**HEADERS, "user-agent": _user_agent()},
                # A cookie would make one reader's answer depend on another's.
                cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
                follow_redirects=False,
                trust_env=trust_env,
                timeout=httpx.Timeout(
                    timeout_seconds, connect=min(_CONNECT_SECONDS, timeout_seconds)
                ),
                limits=httpx.Limits(
                    max_connections=_CONNECTIONS,
                    max_keepalive_connections=_CONNECTIONS // 2,
                    keepalive_expiry=_IDLE_SECONDS,
                ),
            )
        except (httpx.InvalidURL, ValueError, OSError):
            raise SettingsInvalid(
                "The proxy or certificate settings of the environment cannot be used; correct "
                "them, or set CREDIT_ATLAS_API_TRUST_ENV to false"
            ) from None

    def __repr__(self) -> str:
        return f"Transport({self.base_url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    def get(self, request: Request) -> Answer:
        """Sends a request once and reads the answer, whatever its status.

        Raises Dropped when the connection fails or breaks, Unreachable when no whole answer comes
        in time, BadPayload when it is too large or does not unpack.
        """
        failed: CreditAtlasError
        try:
            return self._exchange(request)
        except httpx.HTTPError as fault:
            failed = self._unreachable(fault)
        except (httpx.InvalidURL, RuntimeError):
            # httpx raises RuntimeError for a client that was closed.
            failed = Unreachable("The request could not be sent; open the source again")
        # Outside the except block: the error must not carry httpx's, whose request has the key.
        raise failed

    def conceal(self, text: str) -> str:
        """The text with the key struck out."""
        return self._auth.conceal(text)

    def _exchange(self, request: Request) -> Answer:
        started = self._clock()
        with self._client.stream("GET", self.base_url + request.target) as response:
            encoding = response.headers.get("content-encoding", "").strip().lower()
            body = Body(request.path, encoding, self._max_bytes)
            length = response.headers.get("content-length", "")
            if length.isascii() and length.isdigit():
                body.expect(int(length[:18]))
            for piece in response.iter_raw():
                body.feed(piece)
                # The timeout of httpx begins again with every piece.
                if self._clock() - started > self._timeout_seconds:
                    raise httpx.ReadTimeout("the answer as a whole", request=response.request)
            return Answer(
                status=response.status_code,
                headers={
                    name.lower(): self.conceal(value) for name, value in response.headers.items()
                },
                body=self._auth.conceal_bytes(body.whole()),
                seconds=self._clock() - started,
            )

    def _unreachable(self, fault: httpx.HTTPError) -> Unreachable:
        if isinstance(fault, httpx.TimeoutException):
            return Unreachable(
                f"{self.base_url} did not answer within {self._timeout_seconds:g} s; try again, "
                "ask for less, or raise CREDIT_ATLAS_API_TIMEOUT_SECONDS"
            )
        if isinstance(fault, httpx.ProxyError):
            return Unreachable(f"The proxy on the way to {self.base_url} does not let it through")
        if _is_about_trust(fault):
            return Unreachable(
                f"The certificate of {self.base_url} is not trusted here; check the address, or "
                "let SSL_CERT_FILE name your authority and set CREDIT_ATLAS_API_TRUST_ENV to true"
            )
        if isinstance(fault, httpx.ConnectError):
            return Dropped(
                f"{self.base_url} cannot be reached; check CREDIT_ATLAS_API_URL and the network"
            )
        if isinstance(fault, httpx.NetworkError | httpx.RemoteProtocolError):
            return Dropped(f"{self.base_url} broke the connection off; try again")
        return Unreachable(
            f"{self.base_url} could not be asked ({type(fault).__name__}); check "
            "CREDIT_ATLAS_API_URL and the network"
        )


class _Bearer(httpx.Auth):
    """Puts the key where it belongs (spec 5), and strikes it out where it does not."""

    def __init__(self, key: SecretStr) -> None:
        text = key.get_secret_value()
        if not text or not text.isascii() or not text.isprintable() or " " in text:
            raise SettingsInvalid(
                f"{KEY_VARIABLE} must be printable ASCII without spaces; copy the key again"
            )
        self._key = key

    def __repr__(self) -> str:
        return "Bearer(**********)"

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """See httpx.Auth."""
        request.headers["authorization"] = f"Bearer {self._key.get_secret_value()}"
        yield request

    def conceal(self, text: str) -> str:
        """The text with the key struck out, as it is and as JSON or a URL would write it."""
        for form in self._forms():
            text = text.replace(form, f"${KEY_VARIABLE}")
        return text

    def conceal_bytes(self, body: bytes) -> bytes:
        """As `conceal`, for a body that may not be text."""
        for form in self._forms():
            body = body.replace(form.encode(), f"${KEY_VARIABLE}".encode())
        return body

    def _forms(self) -> list[str]:
        text = self._key.get_secret_value()
        quoted = json.dumps(text)[1:-1]
        forms = dict.fromkeys((text, quoted, quoted.replace("/", "\\/"), quote(text, safe="")))
        return [form if len(text) >= _TELLING_KEY else f"Bearer {form}" for form in forms]


def _is_about_trust(fault: BaseException) -> bool:
    cause: BaseException | None = fault
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return True
        cause = cause.__cause__ or cause.__context__
    return False


def _user_agent() -> str:
    try:
        return f"creditatlas/{version('creditatlas')}"
    except PackageNotFoundError:
        return "creditatlas"
