"""A question as the request of an endpoint, and as the call that a reader would write. Pure.

No request holds a key: the client's transport alone does, and a snippet names the variable that
holds it. Path parameters are percent-encoded whole: a loan number may hold `/`, `#`, `?`, spaces,
any script.
"""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote, urlencode

from .endpoints import HISTORY, LOAN, OWNERSHIP, Endpoint, for_query, named
from .errors import InvalidRequest, NotFound
from .history import HistoryQuery
from .queries import Query, Question, shortened

#: No loan number is longer; an address of any length would not reach the service.
MAX_LOAN_NUMBER: Final = 1_000
#: The environment variable that holds the key; snippets name it where the key would stand.
KEY_VARIABLE: Final = "CREDIT_ATLAS_API_KEY"


@dataclass(frozen=True, slots=True)
class Request:
    """One GET, without the key."""

    endpoint: Endpoint[Any, Any]
    #: From /v1 on, percent-encoded.
    path: str
    params: Mapping[str, str] = field(default_factory=dict)
    #: The licence tiers that open it, as people write them.
    tier_names: tuple[str, ...] = ()

    @property
    def target(self) -> str:
        """Path and query as they go on the wire."""
        return url_of("", self.path, self.params)


def request_for(query: Query) -> Request:
    """The request of a list or graph query (spec 4.1, 4.3, 4.5, 4.6) or of changes, defaults left
    out.

    Raises InvalidRequest for text that cannot be written in an address (lone surrogates).
    """
    endpoint = for_query(type(query))
    tiers = named(endpoint.tiers_for((query,)))
    return Request(endpoint, endpoint.path, _params(query), tiers)


def loan_request(loan_number: str) -> Request:
    """The request of one loan (spec 4.2). Raises NotFound for what can be no loan number."""
    return _of_loan(LOAN, loan_number)


def ownership_request(loan_number: str) -> Request:
    """The request of one chain (spec 4.4). Raises NotFound for what can be no loan number."""
    return _of_loan(OWNERSHIP, loan_number)


def history_request(loan_number: str, query: HistoryQuery) -> Request:
    """The request of one loan's history (D187). Raises NotFound for what can be no loan number."""
    return _of_loan(HISTORY, loan_number, query)


def _of_loan(
    endpoint: Endpoint[..., Any], loan_number: str, query: Question | None = None
) -> Request:
    # An empty loan number would ask for the list instead.
    if not 0 < len(loan_number) <= MAX_LOAN_NUMBER or not _encodable(loan_number):
        raise NotFound(f"No loan has the number '{shortened(loan_number)}'")
    if loan_number in {".", ".."}:
        segment = loan_number.replace(".", "%2E")  # bare dots mean "this" and "parent" in a path
    else:
        segment = quote(loan_number, safe="")
    path = endpoint.path.replace("{loan_number}", segment)
    if query is None:
        return Request(endpoint, path, tier_names=endpoint.tier_names)
    tiers = named(endpoint.tiers_for((loan_number, query)))
    return Request(endpoint, path, _params(query), tiers)


def _params(query: Question) -> dict[str, str]:
    params = query.params()
    for name, value in params.items():
        if not _encodable(value):
            raise InvalidRequest(
                f"Parameter '{name}' is '{shortened(value)}' but must be readable text",
                parameter=name,
            )
    return params


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def url_of(base_url: str, path: str, params: Mapping[str, str]) -> str:
    """The whole address: `path` is percent-encoded already, the values of `params` are not."""
    query = urlencode(params, quote_via=quote, safe="")
    return f"{base_url.rstrip('/')}{path}" + (f"?{query}" if query else "")


def as_curl(base_url: str, path: str, params: Mapping[str, str]) -> str:
    """A curl command for a POSIX shell in which CREDIT_ATLAS_API_KEY is set."""
    url = shlex.quote(url_of(base_url, path, params))
    return f'curl --globoff -H "Authorization: Bearer ${KEY_VARIABLE}" \\\n  {url}'


def as_python(base_url: str, path: str, params: Mapping[str, str]) -> str:
    """A Python script, to run where CREDIT_ATLAS_API_KEY is set; prints the answer."""
    lines = [
        "import os",
        "",
        "import httpx",
        "",
        "answer = httpx.get(",
        f"    {url_of(base_url, path, {})!r},",
        *([f"    params={dict(params)!r},"] if params else []),
        '    headers={"Authorization": f"Bearer {os.environ[\'' + KEY_VARIABLE + "']}\"},",
        ")",
        "answer.raise_for_status()",
        "print(answer.json())",
    ]
    return "\n".join(lines) + "\n"
