"""The log as JSON lines: requests on standard output, everything else on standard error."""

import logging
import sys
from datetime import UTC, datetime
from time import perf_counter
from typing import Any

import orjson

from .exchange import Exchange

access_log = logging.getLogger("creditatlas.access")
service_log = logging.getLogger("creditatlas.service")


def log_request(exchange: Exchange) -> None:
    """One line for an exchange that is over. Names the key by its id, the path by its template."""
    if not access_log.isEnabledFor(logging.INFO):
        return
    key = exchange.key
    line: dict[str, Any] = {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "request_id": exchange.request_id,
        "method": exchange.scope["method"][:20],
        "path": exchange.template,
        "status": exchange.status,
        "ms": round((perf_counter() - exchange.started) * 1_000, 2),
    }
    if exchange.asked is not None:
        line["asked"] = exchange.asked
    if key is not None:
        line |= {"key": key.id, "environment": key.environment}
    else:
        client = exchange.scope.get("client")
        line["client"] = client[0] if client else None
    access_log.info(line)


def log_failure(exchange: Exchange, error: Exception) -> None:
    """An internal error in full, under the request id that its answer names."""
    service_log.error(
        "%s %s failed (%s)",
        exchange.scope["method"][:20],
        exchange.template,
        exchange.request_id,
        exc_info=error,
    )


def log_refusal(exchange: Exchange, error: Exception) -> None:
    """Why the service could not serve, in one line: what its answer does not tell."""
    service_log.warning(
        "%s %s refused (%s): %s",
        exchange.scope["method"][:20],
        exchange.template,
        exchange.request_id,
        error.__cause__ or error,
    )


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
    # No line shows them, and the logging documentation says to turn off what is not shown.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    troubles = logging.StreamHandler(sys.stderr)
    troubles.setFormatter(JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[troubles], force=True)
    requests = logging.StreamHandler(sys.stdout)
    requests.setFormatter(JsonLines())
    access_log.handlers = [requests]
    access_log.propagate = False
    access_log.setLevel(logging.INFO)
