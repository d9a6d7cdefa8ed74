"""How long calls of a database wait, by the limits that they are given: no clock is read."""

import threading
from typing import Any

import pytest
from psycopg_pool import ConnectionPool, PoolTimeout

from services.database.connections import Connection, Silent


def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds of each wait that ends with nothing, from now on.

    A wait is for a connection, or for the answer of one. Those of the look at a whole desk are none
    of these: it is taken in the background, and holds up nobody.
    """
    found: list[float] = []
    getconn, wait = ConnectionPool.getconn, Connection.wait

    def note(seconds: float | None) -> None:
        if threading.current_thread().name != "desk":
            found.append(float("inf") if seconds is None else seconds)

    def taken(pool: Any, timeout: float | None = None) -> Any:
        try:
            return getconn(pool, timeout)
        except PoolTimeout:
            note(timeout)
            raise

    def answered(connection: Connection, *given: Any, **named: Any) -> Any:
        patience = connection.patience
        try:
            return wait(connection, *given, **named)
        except Silent:
            note(patience)
            raise

    monkeypatch.setattr(ConnectionPool, "getconn", taken)
    monkeypatch.setattr(Connection, "wait", answered)
    return found
