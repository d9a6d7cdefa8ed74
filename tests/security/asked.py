"""One request on a connection of its own."""

import http.client
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from types import MappingProxyType

NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: Message
    body: bytes


def asked(
    address: str, path: str, method: str = "GET", headers: Mapping[str, str] = NONE
) -> Answer:
    """The answer to a request whose path is sent as it stands."""
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=60)
    try:
        connection.putrequest(method, path)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read())
    finally:
        connection.close()
