"""A session that stays open, for tests that say to it what no page says."""

import http.client
import time
from contextlib import contextmanager

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect


class Session:
    """A connection to the runtime of a server; `id` is its session's."""

    def __init__(self, line):
        self._line = line
        self.id = None
        self.deferred = {}

    def hear(self, kind, seconds=60):
        """The next message of a kind; None where none comes. Notes files that are offered."""
        ends = time.monotonic() + seconds
        while (left := ends - time.monotonic()) > 0:
            try:
                heard = self._line.recv(timeout=left, decode=False)
            except TimeoutError:
                return None
            message = ForwardMsg()
            message.ParseFromString(heard)
            which = message.WhichOneof("type")
            if which == "new_session":
                self.id = message.new_session.initialize.session_id
            button = message.delta.new_element.download_button
            if button.deferred_file_id:
                self.deferred[button.label.replace("\\", "")] = button.deferred_file_id
            if which == kind:
                return message
        return None

    def say(self, message):
        self._line.send(message.SerializeToString())

    def opens(self, page, query=""):
        """Opens a page and waits until it is drawn."""
        asked = BackMsg()
        asked.rerun_script.page_name = page
        asked.rerun_script.query_string = query
        self.say(asked)
        while self.hear("script_finished").script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            pass
        # Files of no page are cleared away once the thread of the run has ended, a moment after it
        # says so: one that is taken before would go with them.
        time.sleep(0.5)
        return self

    def urls(self, *names, seconds=60):
        """Where files may be sent; none where the page is not heard."""
        asked = BackMsg()
        asked.file_urls_request.request_id = "urls"
        asked.file_urls_request.file_names.extend(names)
        self.say(asked)
        heard = self.hear("file_urls_response", seconds)
        return [one.upload_url for one in heard.file_urls_response.file_urls] if heard else []

    def take(self, file_id):
        """The address of a file that a button offers; None where it is refused."""
        asked = BackMsg()
        asked.backend_operation_request.request_id = "take"
        asked.backend_operation_request.session_id = self.id
        asked.backend_operation_request.deferred_file.file_id = file_id
        self.say(asked)
        answer = self.hear("backend_operation_response").backend_operation_response
        return None if answer.error_msg else answer.deferred_file.url


@contextmanager
def session(server, headers=None, existing=None):
    """A session of its own, or one that is gone on with."""
    protocols = ["streamlit", "none", existing] if existing else ["streamlit"]
    stream = server.replace("http://", "ws://") + "/_stcore/stream"
    with connect(stream, subprotocols=protocols, additional_headers=headers or {}, max_size=None,
                 open_timeout=240) as line:  # fmt: skip
        yield Session(line)


def asked(server, path, method="GET", body=None, headers=None):
    """Status, headers, body."""
    connection = http.client.HTTPConnection(server.removeprefix("http://"), timeout=120)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()
