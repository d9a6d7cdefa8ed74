"""Where EDGAR keeps what: the same paths on sec.gov, on a mirror and in a folder."""

from typing import Final, Protocol

#: Hosts of the SEC by the first part of a path.
SEC: Final = {"submissions": "https://data.sec.gov", "Archives": "https://www.sec.gov"}


class Base(Protocol):
    """sec.gov, a mirror or a folder."""

    def read(self, path: str) -> bytes:
        """What lies at a path. Raises NotFound, and other errors of the tree."""

    def names(self, folder: str) -> list[str]:
        """Names of the files of a filing's folder, none of them with a path. Raises NotFound."""


def submissions(cik: int) -> str:
    """The record of all that a registrant filed."""
    return f"submissions/CIK{cik:010}.json"


def older(name: str) -> str:
    """An older page of that record."""
    return f"submissions/{name}"


def folder(cik: int, accession: str) -> str:
    """The folder of a filing."""
    return f"Archives/edgar/data/{cik}/{accession.replace('-', '')}"


def complete(cik: int, accession: str) -> str:
    """All documents of a filing in one text."""
    return f"{folder(cik, accession)}/{accession}.txt"


def kept(cik: int, accession: str) -> str:
    """Where its Exhibit 102 is kept on this disk, under a name that says which filing it is."""
    return f"{folder(cik, accession)}/{accession}.xml"
