"""A slow link before a server: so many bits a second, so long a way, every byte counted."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

_PART = 16_384


@dataclass(slots=True)
class Link:
    """A link of `bits` a second each way, over which there and back takes `seconds`."""

    port: int
    bits: float
    seconds: float
    #: Bytes that came from the server.
    down: int = 0
    #: When each way is free again, by the loop's clock.
    _free: dict[bool, float] = field(default_factory=lambda: {True: 0.0, False: 0.0})

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Passes one connection on."""
        await asyncio.sleep(self.seconds)  # to be connected takes once there and back
        try:
            inner, outer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            writer.close()
            return
        with suppress(asyncio.CancelledError):  # the link is taken away under an open page
            await asyncio.gather(
                self._pass(reader, outer, down=False), self._pass(inner, writer, down=True)
            )

    async def _pass(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, down: bool
    ) -> None:
        under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        arriving = asyncio.create_task(self._arrive(under_way, sink))
        loop = asyncio.get_running_loop()
        with suppress(OSError):
            while part := await source.read(_PART):
                begins = max(loop.time(), self._free[down])
                self._free[down] = begins + 8 * len(part) / self.bits
                self.down += len(part) if down else 0
                under_way.put_nowait((self._free[down] + self.seconds / 2, part))
                # No more is taken from the sender than the link carries.
                await asyncio.sleep(max(0.0, self._free[down] - loop.time()))
        under_way.put_nowait((loop.time() + self.seconds / 2, b""))
        await arriving

    async def _arrive(
        self, under_way: "asyncio.Queue[tuple[float, bytes]]", sink: asyncio.StreamWriter
    ) -> None:
        loop = asyncio.get_running_loop()
        with suppress(OSError):
            while True:
                at, part = await under_way.get()
                await asyncio.sleep(max(0.0, at - loop.time()))
                if not part:
                    break
                sink.write(part)
                await sink.drain()
        sink.close()


@contextmanager
def link(address: str, *, bits: float, seconds: float) -> Iterator[tuple[str, Link]]:
    """The address of a slow link to a server, and what it counts."""
    found = Link(int(address.rpartition(":")[2]), bits, seconds)
    ready: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event, int]] = Future()

    async def serving() -> None:
        stopped = asyncio.Event()
        server = await asyncio.start_server(found.serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        ready.set_result((asyncio.get_running_loop(), stopped, port))
        await stopped.wait()

    # In a thread of its own: the browser's has a loop that runs already.
    thread = threading.Thread(target=asyncio.run, args=(serving(),), daemon=True)
    thread.start()
    loop, stopped, port = ready.result()
    try:
        yield f"http://localhost:{port}", found
    finally:
        loop.call_soon_threadsafe(stopped.set)
        thread.join()
