"""Forty hosts and origins, by HTTP and by a real WebSocket: who is answered (D105).

Pins S33 of components/README.md.
"""

import asyncio
import socket

import pytest
from starlette.responses import PlainTextResponse

from components.platform.configuration import options
from components.serving.hosts import OnlyAsked
from services.api.keys import KeyFile
from services.contract.errors import SettingsInvalid
from services.settings import Settings, load
from tests.servers import application, dashboard, up
from tests.serving.talking import asked

#: Host, Origin, what is answered; PORT is the server's.
ASKED = [
    ("localhost:PORT", None, 200),
    ("LOCALHOST:PORT", "http://localhost:PORT", 200),
    ("localhost.:PORT", "http://localhost.:PORT", 200),
    ("127.0.0.1:PORT", "http://127.0.0.1:PORT", 200),
    ("[::1]:PORT", "http://[::1]:PORT", 200),
    ("localhost:7000", "http://localhost:7000", 200),  # a tunnel's end
    ("localhost", "http://localhost", 200),
    ("localhost", "https://localhost", 200),
    ("localhost", "https://localhost:443", 200),
    ("localhost:443", "https://localhost", 200),
    ("atlas.bank.example", "https://atlas.bank.example", 200),
    ("Atlas.Bank.Example:443", "https://atlas.bank.example", 200),
    ("atlas:8080", "http://atlas:8080", 200),
    ("atlas.bank.example", None, 200),
    ("evil.example", None, 421),
    ("evil.example", "http://evil.example", 421),
    ("evil.example:PORT", "http://evil.example:PORT", 421),
    ("evil.example:PORT", "http://localhost:PORT", 421),
    ("localhost.evil.example:PORT", "http://localhost.evil.example:PORT", 421),
    ("evil-localhost", "http://evil-localhost", 421),
    ("127.0.0.1.evil.example", None, 421),
    ("sub.atlas.bank.example", "https://sub.atlas.bank.example", 421),
    ("192.0.2.7:PORT", "http://192.0.2.7:PORT", 421),
    ("0.0.0.0:PORT", "http://0.0.0.0:PORT", 421),
    ("127.0.0.2:PORT", None, 421),
    ("2130706433:PORT", None, 421),
    ("[::ffff:127.0.0.1]:PORT", None, 421),
    ("user@localhost:PORT", None, 421),
    ("localhost:PORT/x", None, 421),
    ("localhost:port", None, 421),
    ("", None, 421),
    ("localhost:PORT", "http://evil.example", 403),
    ("localhost:PORT", "http://localhost:9999", 403),
    ("localhost:PORT", "http://localhost", 403),
    ("localhost:PORT", "http://127.0.0.1:PORT", 403),
    ("localhost:PORT", "https://localhost", 403),
    ("localhost:PORT", "null", 403),
    ("localhost:PORT", "file://localhost:PORT", 403),
    ("localhost:PORT", "http://localhost:PORT.evil.example", 403),
    ("localhost:PORT", "http://user@localhost:PORT", 403),
    ("atlas.bank.example", "http://atlas.bank.example:8080", 403),
    ("localhost", "http://localhost:443", 403),
]
UPGRADE = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: streamlit\r\n"
)


@pytest.fixture(scope="module")
def server(store):
    with dashboard(store, CREDIT_ATLAS_HOSTS="atlas.bank.example, Atlas") as address:
        yield address


def said(address, path, host, origin=None, more=""):
    """Status and sentence of an answer to exactly these headers."""
    port = int(address.rsplit(":", 1)[1])
    head = f"GET {path} HTTP/1.1\r\nHost: {host}\r\n"
    head += f"Origin: {origin}\r\n" if origin else ""
    head = f"{head}{more or 'Connection: close'}".removesuffix("\r\n").replace("PORT", str(port))
    with socket.create_connection(("127.0.0.1", port), timeout=60) as line:
        line.sendall(f"{head}\r\n\r\n".encode())
        heard = b""
        while b"\r\n\r\n" not in heard or not (upgraded(heard) or heard.endswith(b"\n")):
            part = line.recv(65_536)
            if not part:
                break
            heard += part
    return int(heard.split(b" ", 2)[1]), heard.partition(b"\r\n\r\n")[2].decode(errors="replace")


def upgraded(heard):
    return heard.startswith(b"HTTP/1.1 101")


def test_there_are_forty():
    assert len(ASKED) >= 40


@pytest.mark.parametrize(("host", "origin", "expected"), ASKED)
def test_only_a_host_of_its_own_and_a_page_of_its_own_are_answered(server, host, origin, expected):
    for path in ("/", "/_stcore/health", "/media/x.png"):
        status, sentence = said(server, path, host, origin)
        assert (404 if path.startswith("/media") and expected == 200 else expected) == status
        assert expected == 200 or one_sentence(sentence)
    status, sentence = said(server, "/_stcore/stream", host, origin, UPGRADE)
    assert status == (101 if expected == 200 else expected)
    assert expected == 200 or one_sentence(sentence)


def one_sentence(said):
    return said.endswith(".\n") and said.count("\n") == 1 and "evil" not in said


@pytest.mark.parametrize(
    ("site", "mode", "status"),
    [
        ("none", "navigate", 200),
        ("same-origin", "cors", 200),
        ("cross-site", "navigate", 200),  # a link in a mail, in a wiki
        ("cross-site", "no-cors", 403),
        ("same-site", "no-cors", 403),  # a page of another port of this machine
    ],
)
def test_what_another_page_draws_in_is_not_answered_and_its_links_are(server, site, mode, status):
    fetched = f"Sec-Fetch-Site: {site}\r\nSec-Fetch-Mode: {mode}\r\nConnection: close\r\n"
    assert said(server, "/", "localhost:PORT", more=fetched)[0] == status


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_a_load_balancer_may_ask_by_any_host(server, path):
    assert said(server, path, "192.0.2.11:8501")[0] in {200, 503}


def test_streamlits_page_takes_orders_from_no_other_origin(server):
    """S26."""
    assert b'"allowedOrigins":[]' in asked(server, "/_stcore/host-config")[2]
    assert options(Settings())["client.allowedOrigins"] == []  # wherever it is started


def test_two_origins_are_none(server):
    twice = "Origin: http://localhost:PORT\r\n" * 2
    assert said(server, "/", "localhost:PORT", more=f"{twice}Connection: close\r\n")[0] == 403
    assert said(server, "/_stcore/stream", "localhost:PORT", more=twice + UPGRADE)[0] == 400


def test_a_server_that_listens_everywhere_goes_by_any_address_and_by_no_name(store):
    with up(store, "--host", "0.0.0.0") as address:  # noqa: S104
        expected = {"localhost": 200, "192.0.2.7": 200, "[2001:db8::1]": 200, "evil.example": 421}
        for host, status in expected.items():
            assert said(address, "/", f"{host}:PORT")[0] == status
            assert said(address, "/", f"{host}:PORT", "http://evil.example")[0] in {403, 421}


def test_the_name_that_it_listens_on_is_its_own():
    async def pages(scope, receive, send):
        if scope["type"] == "http":
            await PlainTextResponse("A page.\n")(scope, receive, send)

    with application(OnlyAsked(pages, host="atlas7")) as port:
        hosts = {"atlas7": 200, "localhost": 200, "atlas8": 421, "192.0.2.7": 421}
        for host, status in hosts.items():
            assert said(f"http://127.0.0.1:{port}", "/", host)[0] == status


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [("evil.example", None, 421), ("localhost", "http://evil.example", 403)],
)
def test_a_request_that_goes_round_a_control_is_in_the_log(host, origin, status, caplog):
    named = {"host": host, "origin": origin}
    headers = [(name.encode(), value.encode()) for name, value in named.items() if value]
    scope = {"type": "http", "method": "GET", "path": "/", "headers": headers,
             "client": ("203.0.113.7", 4_000)}  # fmt: skip
    sent = []

    async def send(message):
        sent.append(message)

    asyncio.run(OnlyAsked(None, host="127.0.0.1")(scope, None, send))
    assert sent[0]["status"] == status
    assert f"refused with {status}, asked from 203.0.113.7: " in caplog.text


def test_the_api_beside_the_pages_asks_for_a_key_and_takes_any_host(store, tmp_path):
    keys = KeyFile(tmp_path / "keys.json")
    key = keys.add("base", "production")
    with up(store, "--api", CREDIT_ATLAS_KEYS=str(keys.path)) as address:
        bearer = f"Authorization: Bearer {key}\r\nConnection: close\r\n"
        assert said(address, "/v1/loans", "atlas.bank.example", more=bearer)[0] == 200
        assert said(address, "/v1/loans", "atlas.bank.example")[0] == 401
        assert said(address, "/", "atlas.bank.example")[0] == 421


@pytest.mark.parametrize(
    ("named", "hosts"),
    [
        ("", ()),
        ("Atlas.example", ("atlas.example",)),
        ("a, b,,[::2] ", ("a", "b", "::2")),
        ("xn--exmple-cua.de, 10.0.0.1, my_host-1", ("xn--exmple-cua.de", "10.0.0.1", "my_host-1")),
    ],
)
def test_hosts_are_named_with_commas_between(monkeypatch, named, hosts):
    monkeypatch.setenv("CREDIT_ATLAS_HOSTS", named)
    assert Settings().hosts == hosts


@pytest.mark.parametrize(
    "named",
    [
        "https://a",
        "a:8501",
        "a/b",
        "*.a",
        "a b",
        "1.2.3.4:80",
        ".",
        "a.",
        ".a",
        "a..b",
        "exämple",
        "-a",
        "a-",
        "1.2.3",
        "::1::",
        "a" * 64,
    ],
)
def test_what_is_no_host_is_one_sentence(monkeypatch, named):
    monkeypatch.setenv("CREDIT_ATLAS_HOSTS", named)
    with pytest.raises(
        SettingsInvalid, match=r"CREDIT_ATLAS_HOSTS cannot be used: '.+' is no name"
    ):
        load()
