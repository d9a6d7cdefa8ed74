"""A trust as EDGAR has it, made from the samples of this project: as paths and bytes, as a folder,
and on a real socket, where any path may answer with faults first.
"""

import json
import re
from pathlib import Path

from tests.client.fault_server import Fault, FaultServer, Received, reply

CIK = 2110410
SAMPLE = (Path(__file__).parents[1] / "importers/sample_2026-1__terms.xml").read_bytes()
SUBMISSIONS = "submissions/CIK0002110410.json"
PAGE = "CIK0002110410-submissions-001.json"
#: Accession, day of filing, end of the period; the newest first, as EDGAR has them.
FILED = [
    ("0001888524-26-014162", "2026-08-28", "2026-08-17"),
    ("0001888524-26-012270", "2026-07-30", "2026-07-17"),
    ("0001888524-26-010373", "2026-06-29", "2026-06-17"),
]
OLD = ("0001888524-26-008000", "2026-05-29", "2026-05-15")


def exhibit(day):
    """An Exhibit 102 of a period that ends on a day."""
    year, month, at = day.split("-")
    ends = f"<reportingPeriodEndDate>{month}-{at}-{year}<".encode()
    return re.sub(rb"<reportingPeriodEndDate>[^<]*<", ends, SAMPLE)


def folder(accession):
    return f"Archives/edgar/data/{CIK}/{accession.replace('-', '')}"


def index(*names):
    """The index of a filing, in the shape of the genuine one."""
    items = [
        {"last-modified": "2026-05-29 00:00:00", "name": n, "type": "text.gif", "size": ""}
        for n in names
    ]
    return json.dumps({"directory": {"item": items, "name": "/Archives"}}).encode()


def complete(accession, *documents):
    """A complete submission: (type, content) of each document."""
    parts = [f"<SEC-DOCUMENT>{accession}.txt : 20260529\n<SEC-HEADER>\n</SEC-HEADER>\n".encode()]
    for kind, content in documents:
        head = f"<DOCUMENT>\n<TYPE>{kind}\n<SEQUENCE>1\n<TEXT>\n<XML>\n".encode()
        parts.append(head + content + b"\n</XML>\n</TEXT>\n</DOCUMENT>\n")
    return b"".join([*parts, b"</SEC-DOCUMENT>\n"])


def table(rows):
    """Parallel lists, with a filing of another form between, as there always is."""
    forms = [(*row, "ABS-EE") for row in rows]
    forms.insert(1, ("0001888524-26-099999", "2026-07-31", "2026-07-17", "10-D"))
    names = ("accessionNumber", "filingDate", "reportDate", "form")
    return {
        name: list(column) for name, column in zip(names, zip(*forms, strict=True), strict=True)
    }


def record(rows, files=()):
    """A submissions record."""
    return {"cik": str(CIK), "name": "Alder 2026-B42 Mortgage Trust",
            "filings": {"recent": table(rows), "files": list(files)}}  # fmt: skip


def tree():
    """Path -> content: three filings in the record, one on its older page. The newest has its
    exhibit under a name of its own beside XML that is none, the second only in its complete text.
    """
    older = {"name": PAGE, "filingCount": 2, "filingFrom": "2026-01-01", "filingTo": "2026-05-31"}
    found = {
        SUBMISSIONS: json.dumps(record(FILED, [older])).encode(),
        f"submissions/{PAGE}": json.dumps(table([OLD])).encode(),
    }
    comments = b"<comments xmlns='http://www.sec.gov/edgar/document/absee/comments'/>"
    for at, (accession, _, day) in enumerate([*FILED, OLD]):
        place = folder(accession)
        if at == 1:
            found[f"{place}/index.json"] = index("cover.htm")
            text = complete(accession, ("ABS-EE", b"<p/>"), ("EX-103", comments),
                            ("EX-102", exhibit(day)))  # fmt: skip
            found[f"{place}/{accession}.txt"] = text
        else:
            found[f"{place}/index.json"] = index("cover.htm", "a_comments.xml", "exh_102.xml")
            found[f"{place}/a_comments.xml"] = comments
            found[f"{place}/exh_102.xml"] = exhibit(day)
    return found


def written(root, files):
    """The same as a folder."""
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
    return root


class Mirror(FaultServer):
    """Serves `files`; the faults that `first` has for a path come before its file."""

    def __init__(self) -> None:
        super().__init__()
        self.files: dict[str, bytes] = tree()
        self.first: dict[str, list[Fault]] = {}

    def _take(self, request: Received) -> Fault:
        with self._guard:
            self.requests.append(request)
            path = request.target.removeprefix("/")
            if waiting := self.first.get(path):
                return waiting.pop(0)
            content = self.files.get(path)
            return reply(404) if content is None else reply(200, content)

    def asked(self) -> list[str]:
        """Paths of all requests, in order."""
        return [one.target.removeprefix("/") for one in self.requests]
