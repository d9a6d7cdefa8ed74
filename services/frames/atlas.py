"""The book as DataFrames: `atlas = connect()`, then `atlas.loans(state="TX")`."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from pydantic import SecretStr

from services.contract.errors import CreditAtlasError, SettingsInvalid, StoreMissing
from services.contract.loan_filter import LoanFilter
from services.contract.rounding import number_of
from services.contract.snapshot_info import Snapshot
from services.settings import load
from services.sources import Workspace, open_workspace

from . import graph, loans, over_time, parties, properties, scenario, tenants
from .asking import Names, labelled
from .frame import by_labels
from .reading import Reading

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd


def connect(
    where: str | Path | None = None, *, key: str | None = None, sandbox: bool = False
) -> "Atlas":
    """The store or API of the settings; with `where` a store's folder, or an API's https address.

    Nothing is read or sent yet. `key` is the API's; without it the one of the settings. Raises
    SettingsInvalid, and StoreMissing where `where` is no folder.
    """
    if where is None:
        if key is not None:
            raise SettingsInvalid("A key is for an API; give its address before it")
        settings = load()
        return Atlas(
            open_workspace(settings), settings.store if settings.source == "store" else None
        )
    if "://" not in str(where):
        if key is not None:
            raise SettingsInvalid("A key is for an API, and this is a folder; leave the key out")
        if not Path(where).is_dir():
            raise StoreMissing(f"There is no folder '{where}'; give one that holds a store")
        return Atlas(open_workspace(load(store=Path(where)), "store"), where)
    # Sandbox or production is said with an address: else a sandbox of the settings would be taken.
    given = {"source": "api", "api_url": str(where), "api_key": SecretStr(key) if key else None}
    environment = "sandbox" if sandbox else "production"
    return Atlas(open_workspace(load(**given, api_environment=environment), "api"))


class Atlas:
    """Reads a store or an API; never writes. Safe for several threads; close it, or use `with`.

    Every call holds one snapshot from its beginning to its end. Frames stay when it is closed.
    Each frame's `attrs` say what it is: `what`, `filters`, `as_of`, `source`, `provenance`,
    `units` and `labels` by column; with `labels=True` a call names columns by those labels, as
    the pages do: "DSCR" in place of `dscr`. Errors are those of services/contract/errors.py; over
    an API whose mirror is not filled, MirrorMissing for what its six endpoints cannot answer.
    """

    def __init__(self, workspace: Workspace, where: str | Path | None = None) -> None:
        self._workspace = workspace
        self._where = str(where or workspace.label)

    def __repr__(self) -> str:
        try:
            with self._reading() as reading:
                found = reading.figures.loan_totals(LoanFilter()).loans
                loans = number_of(found, "loan")
                return f"Atlas({self._where!r}, {loans} as of {reading.said['as_of']})"
        except CreditAtlasError:
            return f"Atlas({self._where!r}, nothing loaded)"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Releases files and connections."""
        self._workspace.close()

    def loans(self, *, columns: Names | None = None, **filters: object) -> "pd.DataFrame":
        """Every loan that matches, a row each, in the order of `order`, else by loan_number.

        `filters` are those of the page Loans and its address (LoanFilter): state="TX",
        property_type=["office", "retail"], maturity_before="2027-12-31", min_ltv=75,
        order="-book_value". `columns` are names of facts; without them those of an export.
        Raises InvalidRequest with the nearest known name.
        """
        return self._frame(partial(loans.loans, columns=columns), filters)

    def signals(self, *, columns: Names | None = None, **filters: object) -> "pd.DataFrame":
        """Every signal that matches, a row each, by `order`, else by loan_number, then type.

        `filters` are those of the page Signals (SignalFilter). `columns` are those of an export
        and any of the signal's loan. Raises InvalidRequest.
        """
        return self._frame(partial(loans.signals, columns=columns), filters)

    def totals(self, **filters: object) -> "pd.Series[Any]":
        """What the pages say of the loans that match, in one Series: `loans`, `records`, `notes`,
        `book_value`, `coupon`, `dscr`, `ltv` and `debt_yield` weighted by book value,
        `dollars_short`, `short_loans`. NA where no loan has one.

        A loan of several notes counts once, and so does each dollar: a mean over rows of `loans()`
        would count some twice. `attrs["coverage"]` says how much of the book value each mean rests
        on, as a fraction of 1. Filters as for `loans`. Raises MirrorMissing.
        """
        with self._reading() as reading:
            return loans.totals(reading, filters)

    def loan(self, loan_number: str) -> "pd.Series[Any]":
        """One loan whole, by name of fact: facts first, then what its source says beyond them
        (properties, layers) as lists. Raises NotFound.
        """
        with self._reading() as reading:
            return loans.loan(reading, loan_number)

    def properties(self, **filters: object) -> "pd.DataFrame":
        """Every property of the loans that match, a row each: the worst first.

        `filters` are those of the page Map: of loans, `cell`, `loan` and `view`. `longitude` and
        `latitude` are degrees, missing where no position is known; `position` says how it is:
        by the `source`, or as the middle of the `zip` code or of the `city`. `dollars` is its part
        of the loan's book value. `attrs["positions"]` counts them. Raises MirrorMissing over an API
        without a mirror: its six endpoints list no properties.
        """
        return self._frame(properties.properties, filters)

    def tenants(self, **filters: object) -> "pd.DataFrame":
        """Tenants of the leases that match, a row each, in the `order` of the page Tenants, else
        the largest area first.

        `filters` are those of the page Tenants: of loans, `tenant`, `leases_within` (months),
        `expires_after` and `expires_before`. `share` is of the area of all leases that match.
        Raises MirrorMissing over an API without a mirror.
        """
        return self._frame(tenants.tenants, filters)

    def leases(self, **filters: object) -> "pd.DataFrame":
        """Leases of the largest tenants of each property, a row each, the first to expire first;
        filters and `order` as for `tenants`. `share` is of the loan's rentable area.
        """
        return self._frame(tenants.leases, filters)

    def entities(self, **filters: object) -> "pd.DataFrame":
        """Every entity that matches `name` and `confidence_min`, best match first, else by name.

        A search by name answers with 200 at the most (D37). Raises InvalidRequest.
        """
        return self._frame(parties.entities, filters)

    def parties(self, **filters: object) -> "pd.DataFrame":
        """Every party that matches `name`, `kind` and `confidence_min`, with its own loans, or else
        those that it services, originated or rents in (`role`): the largest exposure first, or in
        the `order` of the page Entities.

        A search by name answers with 200 at the most (D37). Raises MirrorMissing over an API
        without a mirror.
        """
        return self._frame(parties.parties, filters)

    def families(self, **filters: object) -> "pd.DataFrame":
        """Sponsors, or with kind="owner" owners, with the loans behind them that match.

        The filters of loans, and `order` as on the page Sponsors; the largest book first.
        """
        return self._frame(parties.families, filters)

    def loans_of(self, entity_name: str, **filters: object) -> "pd.DataFrame":
        """A party's own loans (page Entity), a row for each role that it has in each, the
        worst first; with `role` those in which it has this role. Raises NotFound.
        """
        return self._frame(parties.loans_of, {"entity_name": entity_name, **filters})

    def chain(self, loan_number: str, *, labels: bool = False) -> "pd.DataFrame":
        """The ownership chain of a loan, from the borrower (level 0) up, a row for each party.

        Empty where none is resolved (D11). `attrs["confidence_tier"]` is that of its weakest link.
        Raises NotFound.
        """
        return self._frame(parties.chain, {"loan_number": loan_number, "labels": labels})

    def paths(self, **root: object) -> "pd.DataFrame":
        """Paths of the capital graph from `loan_number` or `entity_name`, up to `depth` (3) edges
        away: a row for each edge of each path, shorter paths first.

        `attrs` hold `root`, `depth_reached`, `stopped_by` and `hubs` (D12). Raises NotFound.
        """
        return self._frame(graph.paths, root)

    def connections(self, **ends: object) -> "pd.DataFrame":
        """How two nodes are connected (page Connection): a row for each edge of each connection,
        the best 25, as `paths` has them.

        One of `from_loan` and `from_entity`, and one of `to_loan` and `to_entity`. `attrs["more"]`
        says whether there are further ones, `attrs["reach"]` up to how many edges all are known.
        Raises NotFound for either end.
        """
        return self._frame(graph.connections, ends)

    def network(self, **root: object) -> "nx.MultiDiGraph":
        """The nodes and edges of `paths`; see services.frames.to_network."""
        with self._reading() as reading:
            return graph.to_network(graph.paths(reading, root))

    def what_if(self, **filters: object) -> "pd.DataFrame":
        """What a scenario makes of the loans that match: a row for each worst severity before
        and after, mildest first, with loans and dollars.

        `rates`, `rate_5`, `rate_7`, `rate_10`, `rate_short` (the index of floating loans) and `cap`
        are basis points, `noi` is percent; the others are filters of loans. `attrs["totals"]` hold
        who gets worse, what is short, and the floating loans. Raises NotRescored.
        """
        return self._frame(scenario.what_if, filters)

    def moved_loans(self, **filters: object) -> "pd.DataFrame":
        """The loans of which a scenario changes the worst severity, the worst first; with
        move=("elevated", "severe") those of one move. Raises NotRescored.
        """
        return self._frame(scenario.moved_loans, filters)

    def history(self, loan_number: str, **dates: object) -> "pd.DataFrame":
        """One loan through the filings that are kept, a row for each date, the oldest first.

        `since` and `until` are dates; `sponsors=True` shows the sponsor by date. `events` says what
        happened since the filing before; `attrs["missing"]` are dates of its source that lack
        the loan. Raises NotFound, and NoHistory where no period is kept.
        """
        return self._frame(partial(over_time.history, loan_number=loan_number), dates)

    def changes(self, **filters: object) -> "pd.DataFrame":
        """The loans to which something happened between two dates, a row each, as on the page
        Changes: `since`, `until`, `kind` and its other filters; the most important event first.

        `attrs` hold `since` and `until` as they were compared, `compared` and `remarks`. Raises
        NoHistory, and MirrorMissing over an API without a mirror.
        """
        return self._frame(over_time.changes, filters)

    def snapshot(self) -> Snapshot:
        """What is loaded, from where, as of when. Raises MirrorMissing."""
        with self._reading() as reading:
            return reading.figures.snapshot()

    def _frame(
        self,
        read: Callable[[Reading, Mapping[str, object]], "pd.DataFrame"],
        given: Mapping[str, object],
    ) -> "pd.DataFrame":
        labels, filters = labelled(given)
        with self._reading() as reading:
            found = read(reading, filters)
        return by_labels(found) if labels else found

    @contextmanager
    def _reading(self) -> Iterator[Reading]:
        with self._workspace.lease() as held:
            yield Reading(held, self._workspace.kind, self._workspace.upstream)
