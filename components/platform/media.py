"""Files that pages made, and to whom they are given: each to the user who had it made.

Streamlit names a file by a hash of what it holds and gives it to whoever knows the name, for as
long as it lies in memory; browsers and proxies may keep it.
"""

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime.media_file_storage import MediaFileKind
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.scriptrunner import get_script_run_ctx

from components.platform.asking import ASKING
from components.platform.refusal import refuse
from services.contract.errors import CreditAtlasError
from services.settings import Settings
from services.sign_in import user_of
from services.sign_in_audit import NOBODY, entrance

#: By this Streamlit knows whose a session is: another's is never gone on with.
USER: Final = "credit_atlas_user"
_PATH: Final = "/media/"


class OwnedFiles(MemoryMediaFileStorage):
    """Streamlit's files in memory, with the users who had each made; two may have made the same."""

    def __init__(
        self, media_endpoint: str, user_in: Callable[[Mapping[str, str]], str | None]
    ) -> None:
        super().__init__(media_endpoint)
        self._user_in = user_in
        self._owners: dict[str, set[str | None]] = {}

    def load_and_get_id(
        self,
        path_or_data: str | bytes,
        mimetype: str,
        kind: MediaFileKind,
        filename: str | None = None,
    ) -> str:
        """See Streamlit: the id of a file, which is now this user's too."""
        file_id = super().load_and_get_id(path_or_data, mimetype, kind, filename)
        self._owners.setdefault(file_id, set()).add(self._maker())
        return file_id

    def delete_file(self, file_id: str) -> None:
        """See Streamlit."""
        super().delete_file(file_id)
        self._owners.pop(file_id, None)

    def is_of(self, name: str, user: str | None) -> bool:
        """Whether the file of this name was made for a user."""
        return user in self._owners.get(PurePosixPath(name).stem, ())

    def is_download(self, name: str) -> bool:
        """Whether the file is one to take away, and no picture of a page."""
        return self.get_file(name).kind is MediaFileKind.DOWNLOADABLE

    def _maker(self) -> str | None:
        """Whoever asks for a file beside a run, else whose page is drawn."""
        if asking := ASKING.get(None):
            return self._user_in(asking.headers)
        context = get_script_run_ctx(suppress_warning=True)
        known = context.user_info.get(USER) if context else None
        return known if isinstance(known, str) else None


class OwnMedia:
    """Gives a file to the user who had it made, if their role still takes files away."""

    def __init__(
        self, app: ASGIApp, *, settings: Settings, files: Callable[[], OwnedFiles]
    ) -> None:
        self._app = app
        self._settings = settings
        self._files = files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The file, to be kept by nobody on the way; 404 where it is another's."""
        path = scope.get("path", "/")
        if scope["type"] != "http" or not path.startswith(_PATH):
            await self._app(scope, receive, send)
            return
        if self._settings.sign_in == "proxy":
            headers, name = Headers(scope=scope), path.removeprefix(_PATH)
            if not self._files().is_of(name, headers.get(self._settings.user_header)):
                await refuse(scope, receive, send, 404, "There is no such file of yours")
                return
            try:
                user = user_of(headers, self._settings)
                if self._files().is_download(name):
                    user.require("export")
            except CreditAtlasError as error:
                who = headers.get(self._settings.user_header, NOBODY)
                entrance(self._settings).refused(error.message, name=who)
                await refuse(scope, receive, send, 403, error.message)
                return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["Cache-Control"] = "no-store"
            await send(message)

        await self._app(scope, receive, sending)
