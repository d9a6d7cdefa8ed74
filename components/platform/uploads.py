"""Files that a page asked for, and no others: refused before they are read.

Streamlit takes files of any number for any session that is there, whether or not a page of it shows
an uploader, and keeps them in memory for as long as the session lasts.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec, UploadFileUrlInfo

from components.platform.refusal import refuse

#: Files that a session may be about to send, and that it keeps; the oldest make room.
FEW: Final = 3
#: Bytes of the files of all sessions of a process, from which on no other is taken.
MOST: Final = 250 * 2**20
MOST_AT_ONCE: Final = 8
SECONDS: Final = 60
_PATH: Final = "/_stcore/upload_file/"


class AskedUploads(MemoryUploadedFileManager):
    """Streamlit's uploaded files, few a session, and what of them was asked for."""

    def __init__(self, upload_endpoint: str) -> None:
        super().__init__(upload_endpoint)
        self._asked: dict[str, list[str]] = defaultdict(list)

    def get_upload_urls(
        self, session_id: str, file_names: Sequence[str]
    ) -> list[UploadFileUrlInfo]:
        """See Streamlit: where a page that shows an uploader may send these files."""
        asked = super().get_upload_urls(session_id, file_names)
        self._asked[session_id] = [*self._asked[session_id], *(one.file_id for one in asked)][-FEW:]
        return asked

    def take(self, session_id: str, file_id: str) -> bool:
        """Whether a file was asked for and has not come yet; from now on it has."""
        if file_id not in self._asked.get(session_id, ()):
            return False
        self._asked[session_id].remove(file_id)
        return True

    def full(self) -> bool:
        """Whether the files take as much memory as they may."""
        kept = [tuple(files.values()) for files in tuple(self.file_storage.values())]
        return sum(len(one.data) for files in kept for one in files) >= MOST

    def add_file(self, session_id: str, file: UploadedFileRec) -> None:
        """See Streamlit: the oldest of the session makes room."""
        super().add_file(session_id, file)
        for former in list(self.file_storage[session_id])[:-FEW]:
            self.remove_file(session_id, former)

    def remove_session_files(self, session_id: str) -> None:
        """See Streamlit."""
        super().remove_session_files(session_id)
        self._asked.pop(session_id, None)


class OnlyAskedUploads:
    """Lets a file in that was asked for, from the user of its session."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        uploads: Callable[[], AskedUploads],
        is_own: Callable[[Scope, str], bool],
    ) -> None:
        self._app = app
        self._uploads = uploads
        self._is_own = is_own
        self._under_way = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """What Streamlit answers; else a sentence, and the file is not read."""
        path = scope.get("path", "/")
        if scope["type"] != "http" or not path.startswith(_PATH):
            await self._app(scope, receive, send)
            return
        session_id, _, file_id = path.removeprefix(_PATH).partition("/")
        if scope["method"] != "PUT":
            if scope["method"] != "DELETE" or self._is_own(scope, session_id):
                await self._app(scope, receive, send)
            else:
                await refuse(scope, receive, send, 403, "There is no such file of yours")
        elif not (self._is_own(scope, session_id) and self._uploads().take(session_id, file_id)):
            await refuse(scope, receive, send, 403, "No page asked for this file; reload the page")
        elif self._under_way >= MOST_AT_ONCE or self._uploads().full():
            said = "Too many files are being sent; try again in a minute"
            await refuse(scope, receive, send, 503, said)
        else:
            await self._receive(scope, receive, send)

    async def _receive(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._under_way += 1
        try:
            async with asyncio.timeout(SECONDS):
                await self._app(scope, receive, send)
        except TimeoutError:
            said = f"The file did not come within {SECONDS} seconds; send it again"
            await refuse(scope, receive, send, 408, said)
        finally:
            self._under_way -= 1
