"""Visitors of the dashboard who speak Streamlit's protocol themselves, without a browser."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

#: A guard against a page that hangs: no test is about how long a page takes.
_PATIENCE_SECONDS = 240
_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Visit:
    """What a visitor was sent for one page."""

    address: str
    messages: tuple[ForwardMsg, ...]
    #: Those of pages that were left for it come before its own.
    all_messages: tuple[ForwardMsg, ...]

    @property
    def words(self) -> str:
        """All that was sent to be drawn; words without the signs that keep them from being more."""
        sent = [one for one in self.messages if one.WhichOneof("type") == "delta"]
        return (
            b"\n".join(one.SerializeToString() for one in sent)
            .replace(b"\\", b"")
            .decode(errors="replace")
        )

    def fault(self) -> str | None:
        """What went wrong; None where the page was drawn to its end without an error."""
        sent = [one for one in self.messages if one.WhichOneof("type") == "delta"]
        text = self.words
        if "could not be drawn" in text:
            return f"{self.address}: the page could not be drawn"
        if any(one.delta.new_element.WhichOneof("type") == "exception" for one in sent):
            return f"{self.address}: an exception is on the page"
        if "page-end" not in text:
            return f"{self.address}: the page was not drawn to its end"
        return None


class Session:
    """One browser's session, whose pages may be left before they are drawn."""

    def __init__(self, socket: ClientConnection, server: str) -> None:
        self._socket, self._server = socket, server
        #: The page that was drawn last, as Streamlit knows it.
        self._page = ""

    def asks(self, address: str) -> None:
        """Asks for a page; one that is still drawn is cut short."""
        self._socket.send(self._asking(address).SerializeToString())

    def _asking(self, address: str) -> BackMsg:
        page, _, query = address.removeprefix("/").partition("?")
        asked = BackMsg()
        asked.rerun_script.page_name = page
        asked.rerun_script.query_string = query
        asked.rerun_script.context_info.url = f"{self._server}/{page}"
        return asked

    def runs_by_itself(self, fragment: str) -> None:
        """Asks for a part of the page again, as a browser does by the clock."""
        asked = BackMsg()
        asked.rerun_script.fragment_id = fragment
        asked.rerun_script.page_script_hash = self._page
        asked.rerun_script.is_auto_rerun = True
        self._socket.send(asked.SerializeToString())

    def opens(self, label: str, visit: Visit) -> Visit:
        """Opens a popover of the page on screen, by how its label begins, and waits."""
        blocks = (one.delta.add_block.popover for one in visit.messages)
        (ident,) = {one.id for one in blocks if one.label.replace("\\", "").startswith(label)}
        asked = self._asking(visit.address)
        asked.rerun_script.page_script_hash = self._page
        asked.rerun_script.widget_states.widgets.add(id=ident, bool_value=True)
        self._socket.send(asked.SerializeToString())
        return self.sees(visit.address)

    def waits(self, address: str) -> Visit:
        """Asks for a page and waits until it is drawn: what was sent for it.

        Of the pages left since the last one that was waited for, none may be of its path.
        """
        self.asks(address)
        return self.sees(address)

    def sees(self, address: str) -> Visit:
        """Waits until a page is drawn to its end."""
        page = address.removeprefix("/").partition("?")[0]
        messages: list[ForwardMsg] = []
        begins, here = 0, None
        while True:
            message = ForwardMsg()
            message.ParseFromString(self._socket.recv(timeout=_PATIENCE_SECONDS, decode=False))
            kind = message.WhichOneof("type")
            if kind == "new_session":
                begins = len(messages)
            messages.append(message)
            if kind == "navigation":
                pages = message.navigation.app_pages
                paths = {one.page_script_hash: one.url_pathname for one in pages}
                here = paths[message.navigation.page_script_hash]
            drawn = kind == "script_finished" and (
                message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
            )
            if drawn and here == page:
                self._page = next(one for one, path in paths.items() if path == page)
                return Visit(address, tuple(messages[begins:]), tuple(messages))


@contextmanager
def session(server: str, headers: Mapping[str, str] = _NONE) -> Iterator[Session]:
    """A session, as a fresh browser begins one, with further headers."""
    with connect(
        server.replace("http://", "ws://") + "/_stcore/stream",
        subprotocols=["streamlit"],
        additional_headers=dict(headers),
        max_size=None,
        open_timeout=_PATIENCE_SECONDS,
    ) as socket:
        yield Session(socket, server)


def visit(server: str, address: str, headers: Mapping[str, str] = _NONE) -> Visit:
    """Opens a page in a session of its own, as a fresh browser does, with further headers."""
    with session(server, headers) as browser:
        return browser.waits(address)


def together(server: str, addresses: list[str]) -> list[Visit]:
    """All of them at once, each by a visitor of its own."""
    visits: list[Visit] = []
    start = threading.Barrier(len(addresses))

    def visiting(address: str) -> None:
        start.wait()
        visits.append(visit(server, address))

    threads = [threading.Thread(target=visiting, args=(one,)) for one in addresses]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return visits
