"""What the tables of records on a page hold, read from what the browser is sent; and their use.

AppTest knows components of version 2 only by their message: the rows are its JSON, and what a
reader does in one comes back as a trigger under a name that Streamlit makes of the element's.
"""

import json
from collections.abc import Sequence

from streamlit.testing.v1 import AppTest

from tests.pages.screen import components, tell


def ledgers(app: AppTest) -> dict[str, list[dict[str, str]]]:
    """The tables of records by their caption: rows as label of the column -> text."""
    return {sent["caption"]: _rows(sent) for _, sent in _sent(app)}


def rows(app: AppTest, *labels: str) -> list[dict[str, str]]:
    """The rows of the table that has these columns."""
    for sent in (sent for _, sent in _sent(app)):
        if {column["label"] for column in sent["columns"]}.issuperset(labels):
            return _rows(sent)
    raise AssertionError(f"no table with {labels} among {list(ledgers(app))}")


def column(app: AppTest, label: str) -> list[str]:
    """One column of the table that has it."""
    return [row[label] for row in rows(app, label)]


def addresses(app: AppTest, caption: str) -> list[str]:
    """Where the rows of a table lead."""
    return [row["href"] for _, sent in _sent(app) if sent["caption"] == caption
            for row in sent["rows"]]  # fmt: skip


def open_row(app: AppTest, caption: str, row: int = 0) -> AppTest:
    """The page after a click on the link of a row."""
    return send(app, caption, "opened", addresses(app, caption)[row])


def send(app: AppTest, caption: str, event: str, value: str | Sequence[str]) -> AppTest:
    """The page after the browser has value of something: "opened", "ordered" or "ticked"."""
    (element,) = (one for one, sent in _sent(app) if sent["caption"] == caption)
    return tell(app, element, event, value)


def _sent(app: AppTest):
    for one in components(app, "atlas_ledger"):
        yield one, json.loads(one.json)


def _rows(sent: dict) -> list[dict[str, str]]:
    labels = [column["label"] for column in sent["columns"]]
    return [dict(zip(labels, row["cells"], strict=True)) for row in sent["rows"]]
