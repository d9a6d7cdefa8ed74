"""The call behind a view, as a reader would write it: curl and Python, the key as a placeholder."""

import shlex
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote, urlencode

#: The environment variable that stands where the key would stand.
KEY_VARIABLE: Final = "CREDIT_ATLAS_API_KEY"


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
