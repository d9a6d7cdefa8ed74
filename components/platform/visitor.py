"""A visitor of the server's own, who opens a page without a browser."""

import asyncio
from collections.abc import Mapping

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime, SessionClient


class Visitor(SessionClient):
    """A session without a browser, for one page."""

    def __init__(self, user: Mapping[str, str]) -> None:
        self._server = Runtime.instance()
        self._user = user
        self._drawn = asyncio.Event()

    async def opens(self, path: str, query: str) -> None:
        """Opens a page and waits until it is drawn."""
        asked = BackMsg()
        asked.rerun_script.page_name = path
        asked.rerun_script.query_string = query
        session_id = self._server.connect_session(client=self, user_info=dict(self._user))
        try:
            self._server.handle_backmsg(session_id, asked)
            await self._drawn.wait()
        finally:
            self._server.close_session(session_id)

    def write_forward_msg(self, msg: ForwardMsg) -> None:
        """Looks only for the end; Streamlit calls it in the server's own thread."""
        ended = msg.WhichOneof("type") == "script_finished"
        if ended and msg.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            self._drawn.set()
