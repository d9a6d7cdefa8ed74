"""What our service is measured against: Datasette over the same rows, and a constant answer."""

import json
import sqlite3
import subprocess
import sys
import venv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from services.contract.columns import LOAN_EXPORT
from services.contract.loan_filter import LoanFilter
from services.store.source import StoreSource

#: Our filters as columns of the table, with Datasette's operators (D8: dates exclusive).
_COLUMNS: Final = {
    "state": "property_state",
    "lender": "lender_normalized",
    "min_balance": "book_value__gte",
    "max_balance": "book_value__lte",
    "maturity_before": "maturity_date__lt",
    "maturity_after": "maturity_date__gt",
    "rate_pressure": "rate_pressure",
}
_INDEXED: Final = (
    "property_state",
    "lender_normalized",
    "book_value",
    "maturity_date",
    "rate_pressure",
)
#: The least that FastAPI can do: the bytes are ready, nothing is looked at.
_CONSTANT: Final = """
import sys
from pathlib import Path
import uvicorn
from fastapi import FastAPI, Response

LIST, DETAIL = (Path(name).read_bytes() for name in sys.argv[2:4])
app = FastAPI()

@app.get("/list")
async def constant_list():
    return Response(LIST, media_type="application/json")

@app.get("/detail")
async def constant_detail():
    return Response(DETAIL, media_type="application/json")

uvicorn.run(app, port=int(sys.argv[1]), access_log=False, log_level="warning")
"""


def installed(folder: Path) -> Path | str:
    """The Datasette of a fresh environment, or why there is none, as a sentence."""
    home = folder / "datasette"
    venv.create(home, with_pip=True)
    # uvloop and httptools are what makes uvicorn fast: it shall have no less than we have.
    wanted = ["datasette", "httptools", "uvloop"]
    done = subprocess.run(
        [home / "bin/python", "-m", "pip", "install", "--quiet", *wanted],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return "Datasette could not be installed, so the service was not measured against it"
    return home / "bin/datasette"


def database(source: StoreSource, path: Path) -> None:
    """All loans in one indexed SQLite table, `loans`, by loan_number."""
    kinds = {"book_value": "INTEGER", "interest_rate": "REAL"}
    columns = ", ".join(f"{name} {kinds.get(name, 'TEXT')}" for name in LOAN_EXPORT[1:])
    marks = ", ".join("?" * len(LOAN_EXPORT))
    with sqlite3.connect(path) as connection:
        # Without row ids every index holds the loan number, so pages come in order without a sort.
        connection.execute(
            f"CREATE TABLE loans (loan_number TEXT PRIMARY KEY, {columns}) WITHOUT ROWID"
        )
        for batch in source.loan_batches(LoanFilter(), ()):
            rows = zip(*(_plain(column.to_pylist()) for column in batch.columns), strict=True)
            connection.executemany(f"INSERT INTO loans VALUES ({marks})", rows)
        for column in _INDEXED:
            connection.execute(f"CREATE INDEX by_{column} ON loans ({column})")
        connection.execute("ANALYZE")
    connection.close()


def _plain(column: Iterable[Any]) -> list[Any]:
    return [one.isoformat() if hasattr(one, "isoformat") else one for one in column]


def datasette(program: Path, path: Path, port: int) -> list[str]:
    """How Datasette is started. Immutable and without suggestions, as suits it best."""
    settings = ["suggest_facets", "off", "default_page_size", "25"]
    given = [part for at in (0, 2) for part in ("--setting", *settings[at : at + 2])]
    return [str(program), "serve", "-i", str(path), "-p", str(port), *given]


def constant(lists: Path, details: Path, port: int) -> list[str]:
    """How the routes are started that answer with what these files hold."""
    return [sys.executable, "-c", _CONSTANT, str(port), str(lists), str(details)]


def datasette_list(address: str, name: str, query: Mapping[str, str]) -> str:
    """The target of Datasette for one of our lists, its later pages by its own tokens."""
    params = [(_COLUMNS[key], value) for key, value in query.items() if key in _COLUMNS]
    target = f"/{name}/loans.json?{urlencode([*params, ('_size', '25')])}"
    for _ in range(int(query.get("page", 1)) - 1):
        token = read(address + target)["next"]
        if token is None:
            break
        target = f"/{name}/loans.json?{urlencode([*params, ('_size', '25'), ('_next', token)])}"
    return target


def read(target: str, key: str = "") -> Any:
    """The JSON that a target answers with."""
    return json.loads(raw(target, key))


def raw(target: str, key: str = "") -> bytes:
    """The body that a target answers with."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    with urlopen(Request(target, headers=headers), timeout=60) as answer:
        return bytes(answer.read())
