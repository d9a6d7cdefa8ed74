"""Streamlit's scripts and style sheets, compressed once and sent compressed.

Streamlit sends them as they are: 4.7 MB for Plotly alone. They are compressed when a server starts
for the first time and stay in a cache folder of this user, one for each version of Streamlit. What
the folder holds is compared with Streamlit's own file at every start, so that a cut or changed
file is made again and never sent.
"""

import gzip
import hashlib
import logging
import mimetypes
import os
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger("credit_atlas")

#: Fonts and pictures are compressed as they are.
_SUFFIXES: Final = frozenset({".js", ".mjs", ".css", ".json", ".svg", ".wasm"})
#: Their names hold a hash of what they hold: a name never means anything else.
_FOREVER: Final = "public, immutable, max-age=31536000"
#: Smaller files fit into one packet anyway.
_SMALLEST_BYTES: Final = 1_000


@dataclass(frozen=True, slots=True)
class Bundle:
    """One compressed file, as it is sent."""

    packed: bytes
    etag: str
    media_type: str


def cache_folder() -> Path:
    """Where compressed bundles of this version of Streamlit stay."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "creditatlas" / f"streamlit-{st.__version__}"


class Bundles:
    """The compressed bundles by their path in the address; none before `load`."""

    def __init__(self, served: Path = Path(st.__file__).parent / "static") -> None:
        self._served = served
        self._by_path: dict[str, Bundle] = {}

    def load(self, folder: Path) -> None:
        """Reads the bundles from `folder`, and writes there what it lacks.

        A folder that cannot be written is no fault: what it lacks is compressed for this server.
        """
        found = {}
        for path in sorted((self._served / "static").rglob("*")):
            plain = path.read_bytes() if path.suffix in _SUFFIXES else b""
            if len(plain) < _SMALLEST_BYTES:
                continue
            name = path.relative_to(self._served).as_posix()
            packed = _packed(plain, folder / f"{name}.gz")
            found[f"/{name}"] = Bundle(
                packed,
                f'"{hashlib.sha256(packed).hexdigest()[:32]}"',
                mimetypes.guess_type(path.name)[0] or "application/octet-stream",
            )
        self._by_path = found

    def at(self, path: str) -> Bundle | None:
        """The bundle at a path of the address; None for everything else."""
        return self._by_path.get(path)


class CompressedBundles:
    """Answers requests for bundles compressed, where the client takes that."""

    def __init__(self, app: ASGIApp, *, bundles: Bundles) -> None:
        self._app = app
        self._bundles = bundles

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The compressed bundle, or what Streamlit answers."""
        asked = scope["type"] == "http" and scope["method"] in {"GET", "HEAD"}
        bundle = self._bundles.at(scope["path"]) if asked else None
        if bundle is None:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not takes_gzip(headers.get("accept-encoding", "")):
            await self._app(scope, receive, _varied(send))
            return
        kept = {"Cache-Control": _FOREVER, "ETag": bundle.etag, "Vary": "Accept-Encoding"}
        if bundle.etag in headers.get("if-none-match", ""):
            answer = Response(status_code=304, headers=kept)
        else:
            kept["Content-Encoding"] = "gzip"
            answer = Response(bundle.packed, headers=kept, media_type=bundle.media_type)
        await answer(scope, receive, send)


def takes_gzip(accepted: str) -> bool:
    """Whether a client with this Accept-Encoding takes gzip (RFC 9110, 12.5.3)."""
    weights = {}
    for one in accepted.lower().split(","):
        coding, _, weight = one.partition(";")
        said = weight.replace(" ", "").removeprefix("q=") or "1"
        weights[coding.strip()] = said.strip("0.") != ""
    return weights.get("gzip", weights.get("*", False))


def _varied(send: Send) -> Send:
    """A cache on the way must not give the uncompressed answer to everybody."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).add_vary_header("Accept-Encoding")
        await send(message)

    return sending


def _packed(plain: bytes, path: Path) -> bytes:
    """What `path` holds when it unpacks to `plain`; else it is compressed and written again."""
    try:
        packed = path.read_bytes()
        if gzip.decompress(packed) == plain:
            return packed
    except (OSError, EOFError, zlib.error):
        pass
    packed = gzip.compress(plain, compresslevel=9, mtime=0)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as written:
            written.write(packed)
        Path(written.name).replace(path)
    except OSError as error:
        log.info("a compressed bundle is not kept: %s", error)
    return packed
