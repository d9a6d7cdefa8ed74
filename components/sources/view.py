"""How Sources is looked at: what its address holds."""

from collections.abc import Callable

from services.contract.errors import InvalidRequest
from services.contract.queries import Exact, Query, shortened
from services.contract.snapshot_info import Snapshot


class SourcesView(Query):
    """Whose fields are counted."""

    #: Key of a source; None: all.
    source: Exact | None = None


def check(snapshot: Snapshot) -> Callable[[SourcesView], None]:
    """Refuses a source that the snapshot does not have."""

    def checked(asked: SourcesView) -> None:
        if asked.source not in {None, *(one.key for one in snapshot.sources)}:
            raise InvalidRequest(
                f"Parameter 'source' is '{shortened(asked.source or '')}' but must be the key of a"
                " source that is loaded",
                parameter="source",
            )

    return checked
