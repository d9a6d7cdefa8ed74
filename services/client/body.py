"""An answer's body, collected and unpacked up to a limit: a small answer may unpack to a huge one.

httpx would unpack each piece whole, however large it becomes, and as many times over as the answer
says it was packed; here every step is bounded.
"""

import zlib

from services.contract.errors import BadPayload
from services.contract.queries import shortened


class Body:
    """Collects pieces. Raises BadPayload past `limit` bytes, packed or unpacked, with a remedy."""

    def __init__(
        self,
        path: str,
        encoding: str,
        limit: int,
        *,
        remedy: str = "ask for fewer records a page or raise CREDIT_ATLAS_API_MAX_BYTES",
    ) -> None:
        self._path = path
        self._limit = limit
        self._remedy = remedy
        self._packed = 0
        self._whole = bytearray()
        self._gzip = None
        if encoding in {"gzip", "x-gzip"}:
            self._gzip = zlib.decompressobj(zlib.MAX_WBITS | 16)
        elif encoding not in {"", "identity"}:
            raise BadPayload(
                f"{path}: the answer is packed as '{shortened(encoding)}', which was not asked "
                "for; a proxy may have changed it",
                path=path,
            )

    def expect(self, length: int) -> None:
        """Refuses an announced length at once, before the bytes come."""
        if length > self._limit:
            raise self._too_large()

    def feed(self, piece: bytes) -> None:
        """The next piece as it came from the network."""
        self._packed += len(piece)
        self.expect(self._packed)
        if self._gzip is None:
            self._whole += piece
            return
        while piece:
            # One byte more than allowed tells too large from just fitting.
            room = self._limit - len(self._whole) + 1
            try:
                self._whole += self._gzip.decompress(piece, room)
            except zlib.error:
                raise self._damaged() from None
            self.expect(len(self._whole))
            piece = self._gzip.unconsumed_tail or self._gzip.unused_data
            if self._gzip.eof and piece:
                self._gzip = zlib.decompressobj(zlib.MAX_WBITS | 16)

    def whole(self) -> bytes:
        """All of it, once the last piece is in."""
        if self._gzip is not None and self._packed and not self._gzip.eof:
            raise self._damaged()
        return bytes(self._whole)

    def _too_large(self) -> BadPayload:
        return BadPayload(
            f"{self._path}: the answer is larger than {self._limit:,} bytes and was not read "
            f"further; {self._remedy}",
            path=self._path,
        )

    def _damaged(self) -> BadPayload:
        return BadPayload(
            f"{self._path}: the answer says that it is gzip but does not unpack; "
            "a proxy may have damaged it",
            path=self._path,
        )
