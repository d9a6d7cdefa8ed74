"""The log as JSON lines: requests on standard output, everything else on standard error."""

import logging
import sys
from datetime import UTC, datetime

import orjson

from .front import access_log


class JsonLines(logging.Formatter):
    """A record as one line of JSON; a message that is a mapping is the line itself."""

    def format(self, record: logging.LogRecord) -> str:
        """See logging."""
        if isinstance(record.msg, dict):
            return orjson.dumps(record.msg).decode()
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return orjson.dumps(line).decode()


def write_logs() -> None:
    """Has this process write its log."""
    # Nothing that a line does not show is looked up for it.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    troubles = logging.StreamHandler(sys.stderr)
    troubles.setFormatter(JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[troubles], force=True)
    requests = logging.StreamHandler(sys.stdout)
    requests.setFormatter(JsonLines())
    access_log.handlers = [requests]
    access_log.propagate = False
    access_log.setLevel(logging.INFO)
