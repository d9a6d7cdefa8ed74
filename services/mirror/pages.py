"""Pages of an API's lists, kept in files as they come: a fill goes on where it stopped."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from services.contract import wire
from services.contract.book import Progress
from services.contract.errors import RateLimited
from services.contract.queries import Query
from services.contract.records import Loan, OwnershipChain, Page, Record
from services.contract.source import CreditSource

#: Records a request, the most that the specification allows (8.5).
PER_PAGE: Final = 100
#: A minute's limit is waited out; a longer one ends the fill, which then goes on another time.
LONGEST_WAIT_SECONDS: Final = 90
#: Pages kept longer than this are asked for again, seconds.
STALE_SECONDS: Final = 86_400
_PASSES: Final = 2

R = TypeVar("R", bound=Record)
T = TypeVar("T")


class Quota(Protocol):
    """What is known of the requests left (spec 8.2)."""

    @property
    def daily_remaining(self) -> int | None:
        """Requests left today; None where the API does not say."""
        ...


class Stopped(Exception):
    """The fill was cancelled; what came so far is kept for the next one."""


class Pages:
    """Pages of lists, kept in files beside the store until the snapshot stands."""

    def __init__(
        self,
        folder: Path,
        quota: Callable[[], Quota],
        progress: Progress,
        cancelled: Callable[[], bool],
        sleep: Callable[[float], None],
    ) -> None:
        self._folder = folder
        self._quota = quota
        self._progress = progress
        self._cancelled = cancelled
        self._sleep = sleep
        self.requests = 0
        for path in folder.glob("*.jsonl"):
            if time.time() - path.stat().st_mtime > STALE_SECONDS:
                path.unlink()

    def records(
        self, name: str, read: Callable[[Any], Page[R]], query: Query, kind: type[R]
    ) -> tuple[list[R], int]:
        """Distinct records of a list, and its total; one more pass when they differ (D34)."""
        found: dict[str, R] = {}
        total = 0
        for number in range(_PASSES):
            for page in self._pass(f"{name}-{number}", name, read, query):
                total = page["total"]
                for payload in page["items"]:
                    key = json.dumps(payload, sort_keys=True)
                    record = wire.decode(kind, payload, f"mirrored {name}")
                    number_key = record.loan_number if isinstance(record, Loan) else key
                    found.setdefault(str(number_key), record)
            if len(found) == total:
                break
        return list(found.values()), total

    def _pass(
        self, file: str, name: str, read: Callable[[Any], Page[R]], query: Query
    ) -> Iterator[dict[str, Any]]:
        path = self._folder / f"{file}.jsonl"
        kept = list(_lines(path))
        yield from kept
        if kept and kept[-1]["last"]:
            return
        at = len(kept) + 1
        while True:
            page = self._asked(partial(read, query.at(at)))
            last = page.is_last or not page.items
            row = {
                "total": page.total,
                "last": last,
                "items": [wire.encode(item) for item in page.items],
            }
            _append(path, row)
            self._progress(
                f"{name}: {min(at * PER_PAGE, page.total):,} of {page.total:,}",
                min(1.0, at * PER_PAGE / max(1, page.total)),
            )
            yield row
            if last:
                return
            at += 1

    def chains(self, source: CreditSource, numbers: Sequence[str]) -> list[OwnershipChain]:
        """Ownership chains, one request a loan."""
        path = self._folder / "chains.jsonl"
        kept = [wire.decode(OwnershipChain, row, "mirrored chains") for row in _lines(path)]
        done = {chain.loan_number for chain in kept}
        for number in numbers:
            if number in done:
                continue
            chain = self._asked(partial(source.ownership, number))
            _append(path, wire.encode(chain))
            kept.append(chain)
            self._progress(f"chains: {len(kept):,} of {len(numbers):,}", len(kept) / len(numbers))
        return kept

    def _asked(self, ask: Callable[[], T]) -> T:
        """One request, within the day's quota; a minute's limit is waited out."""
        while True:
            if self._cancelled():
                raise Stopped
            if self._quota().daily_remaining == 0:
                raise RateLimited(
                    "Today's quota is used up; the mirror goes on from here tomorrow",
                    retry_after=3600,
                )
            self.requests += 1
            try:
                return ask()
            except RateLimited as limit:
                if limit.retry_after > LONGEST_WAIT_SECONDS:
                    raise
                for left in range(limit.retry_after, 0, -1):
                    if self._cancelled():
                        raise Stopped from None
                    self._progress(f"waiting {left} s for the rate limit", 0.0)
                    self._sleep(1)

    def forget(self) -> None:
        """Removes the kept pages: the snapshot has them now."""
        for path in self._folder.glob("*.jsonl"):
            path.unlink()


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """Whole rows of a file; a row cut short by a kill is dropped, and asked for again."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return
    whole, _, cut = text.rpartition("\n")
    if cut:
        path.write_text(whole + "\n" if whole else "", encoding="utf-8")
    for line in whole.splitlines():
        row: dict[str, Any] = json.loads(line)
        yield row


def _append(path: Path, row: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row, ensure_ascii=True, default=str) + "\n")
