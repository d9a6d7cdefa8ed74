"""Streamlit's runtime, which hears from a browser what our pages say, and no more.

Streamlit's pages send ten kinds of message. Six of them are a developer's, and one clears the
caches of everybody: a visitor who speaks the protocol can send them all.
"""

import logging
from collections.abc import Mapping
from typing import Any, Final, cast

import streamlit as st
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime import Runtime, RuntimeConfig, SessionClient
from streamlit.runtime.context import StreamlitHeaders
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.memory_session_storage import MemorySessionStorage

from components.platform.asking import ASKING, UPLOADER, Asking
from components.platform.media import USER, OwnedFiles
from components.platform.uploads import FEW, AskedUploads
from services.contract.errors import CreditAtlasError
from services.settings import Settings
from services.sign_in import user_of

log = logging.getLogger("credit_atlas")

_PAGES_SAY: Final = frozenset({"rerun_script", "stop_script", "app_heartbeat"})
_OPERATIONS: Final = frozenset({"deferred_file", "dataframe_chunk"})


class TitlesKept(ForwardMsgQueue):
    """What a browser is still to be sent.

    Of a run that is interrupted Streamlit keeps the query that it wrote, and drops the title before
    it, which says what the run was for (asking.of_run): assets/address.js would take the query for
    that of the run before.
    """

    def clear(
        self, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None
    ) -> None:
        """See Streamlit: titles stay where lifecycle messages do."""
        queued, kept = self._queue, []
        for one in queued:
            self._queue = [one]
            if not (retain_lifecycle_msgs and one.WhichOneof("type") == "page_config_changed"):
                super().clear(retain_lifecycle_msgs, fragment_ids_this_run)
            kept += self._queue
        self._queue, self._delta_index_map = kept, {}


class PagesRuntime(Runtime):
    """Knows whose session, upload and file is whose."""

    def __init__(self, script: str, settings: Settings) -> None:
        self.settings = settings
        self.files = OwnedFiles("/media", self.user_in)
        self.uploads = AskedUploads("/_stcore/upload_file")
        ttl = cast("int", st.get_option("server.disconnectedSessionTTL"))
        super().__init__(
            RuntimeConfig(
                script_path=script,
                media_file_storage=self.files,
                uploaded_file_manager=self.uploads,
                session_storage=MemorySessionStorage(ttl_seconds=ttl),
            )
        )

    def connect_session(self, *args: Any, **options: Any) -> str:  # noqa: ANN401 - as Streamlit's
        """See Streamlit: what a session sends keeps its titles."""
        session_id = super().connect_session(*args, **options)
        active = self._session_mgr.get_active_session_info(session_id)
        session = active.session if active else None
        if session and not isinstance(session._browser_queue, TitlesKept):  # noqa: SLF001
            session._browser_queue = TitlesKept()  # noqa: SLF001 - the library has no call for it
        return session_id

    def user_in(self, headers: Mapping[str, str]) -> str | None:
        """The user whom the proxy names in these headers; None without sign-in."""
        return headers.get(self.settings.user_header) if self.settings.sign_in == "proxy" else None

    def is_session_of(self, session_id: str, user: str | None) -> bool:
        """Whether a session is there and this user's."""
        active = self._session_mgr.get_active_session_info(session_id)
        known: dict[str, str | bool | dict[str, str] | None] = {USER: user}
        if self.settings.sign_in == "none":
            known = {}
        return active is not None and active.session.matches_user_info(known)

    def handle_backmsg(
        self, session_id: str, msg: BackMsg, *, client: SessionClient | None = None
    ) -> None:
        """See Streamlit: what pages do not say is not heard."""
        context = client.client_context if client else None
        headers = StreamlitHeaders(context.headers if context else ())
        if not self._hears(session_id, msg, headers):
            log.warning("a message that no page sends is not heard: %s", msg.WhichOneof("type"))
            return
        token = ASKING.set(Asking(session_id, headers))
        try:
            super().handle_backmsg(session_id, msg, client=client)
        finally:
            ASKING.reset(token)

    def _hears(self, session_id: str, msg: BackMsg, headers: Mapping[str, str]) -> bool:
        said = msg.WhichOneof("type")
        if said == "backend_operation_request":
            return msg.backend_operation_request.WhichOneof("payload") in _OPERATIONS
        if said == "file_urls_request":
            few = len(msg.file_urls_request.file_names) <= FEW
            return few and self._shows_uploader(session_id)
        if said == "clear_cache":
            return self.is_admin(headers)
        return said in _PAGES_SAY

    def is_admin(self, headers: Mapping[str, str]) -> bool:
        """Whether these headers name an admin; without sign-in its only user is one."""
        try:
            return user_of(headers, self.settings).role == "admin"
        except CreditAtlasError:
            return False

    def _shows_uploader(self, session_id: str) -> bool:
        active = self._session_mgr.get_active_session_info(session_id)
        return active is not None and UPLOADER in active.session.session_state


class PagesApp(st.App):
    """Streamlit's application over that runtime."""

    def __init__(self, *args: object, settings: Settings, **options: object) -> None:
        self._settings = settings
        super().__init__(*args, **options)  # type: ignore[arg-type]

    def _create_runtime(self) -> Runtime:
        return PagesRuntime(str(self._resolve_script_path()), self._settings)


def runtime() -> PagesRuntime:
    """The runtime of this process."""
    return cast("PagesRuntime", Runtime.instance())
