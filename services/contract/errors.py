"""Everything that can go wrong, as one tree. Each error reads as one sentence a user can act on.

CreditAtlasError
├── InvalidRequest       400  a parameter that is unknown, malformed or out of bounds
├── Unauthorized         401  no key, or one that is not known
├── Forbidden            403  the key's licence tier does not cover the endpoint
├── NotPermitted              what the role of a user may not do, or who is no user
├── NotFound             404  no such loan, entity or path
├── RateLimited          429  carries retry_after, seconds
├── InternalError        500  the service failed; carries its request_id
├── ServiceUnavailable   503  the service cannot check keys, or count requests, just now
├── Unreachable               no answer at all
├── BadPayload                an answer that is not the promised shape; names path and key
├── StoreMissing              there is no snapshot to read yet
├── MirrorMissing            aggregates need a mirror, and it is not filled yet
├── NotRescored              a scenario needs loans that our rules, as they are now, scored
├── NoHistory                 no period is kept, so that nothing is known of earlier dates
├── NotOffered                an endpoint beyond the specification that a service does not have
├── StoreBusy                 another import or program is writing
├── StoreDamaged              a snapshot that does not read
├── DeskUnavailable           watches and notes cannot be read, or not be written
├── NoteConflict              a note was changed by somebody else meanwhile
├── SearchConflict            a saved search was changed in another window meanwhile
├── CaseConflict              a case was changed, or opened, by somebody else meanwhile
├── StoreFull                 no room to write a snapshot
├── ShelfUnavailable          a shelf of snapshots that does not answer, or refuses
├── ShelfDamaged              an object of a shelf that is missing, or not what was published
├── ShelfMoved                another publisher moved an environment meanwhile
├── NodesNotReady             too few nodes have fetched a snapshot yet
├── ImportRefused             a file that is not what the importer reads
└── SettingsInvalid           a setting that cannot be used
"""


class CreditAtlasError(Exception):
    """Base of the tree: `status` as HTTP has it (0 when no answer came), `code` as in D13."""

    status = 0
    code = "error"

    def __init__(self, message: str, *, request_id: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.request_id = request_id

    def __str__(self) -> str:
        return f"{self.message} (request {self.request_id})" if self.request_id else self.message

    def __reduce__(self) -> tuple[object, ...]:
        # Errors cross Streamlit's caches: rebuild from state, not from the constructor.
        return (_revive, (type(self), self.__dict__))


def _revive(kind: type[CreditAtlasError], state: dict[str, object]) -> CreditAtlasError:
    error = kind.__new__(kind, state.get("message"))
    error.__dict__.update(state)
    return error


class InvalidRequest(CreditAtlasError):
    """400. `parameter` names what was wrong, when one parameter was."""

    status = 400
    code = "invalid_request"

    def __init__(
        self, message: str, *, parameter: str | None = None, request_id: str | None = None
    ) -> None:
        super().__init__(message, request_id=request_id)
        self.parameter = parameter


class Unauthorized(CreditAtlasError):
    """401."""

    status = 401
    code = "unauthorized"


class Forbidden(CreditAtlasError):
    """403. `tiers` names the licence tiers that would open the endpoint; `read`, where it is known,
    the method of CreditSource whose licence is wanting.
    """

    status = 403
    code = "forbidden"

    def __init__(
        self,
        message: str,
        *,
        tiers: tuple[str, ...] = (),
        read: str = "",
        request_id: str | None = None,
    ) -> None:
        super().__init__(message, request_id=request_id)
        self.tiers = tiers
        self.read = read


class NotPermitted(CreditAtlasError):
    """What the role of a user of the dashboard does not allow, or somebody who is no user of it."""

    code = "not_permitted"


class NotFound(CreditAtlasError):
    """404."""

    status = 404
    code = "not_found"


class RateLimited(CreditAtlasError):
    """429. `retry_after` is whole seconds, at least 1."""

    status = 429
    code = "rate_limited"

    def __init__(self, message: str, *, retry_after: int, request_id: str | None = None) -> None:
        super().__init__(message, request_id=request_id)
        self.retry_after = retry_after


class InternalError(CreditAtlasError):
    """500."""

    status = 500
    code = "internal_error"


class ServiceUnavailable(CreditAtlasError):
    """503. Where the service keeps keys, or counts requests, does not answer."""

    status = 503
    code = "service_unavailable"


class Unreachable(CreditAtlasError):
    """No connection, or none that lasted."""

    code = "unreachable"


class BadPayload(CreditAtlasError):
    """An answer of another shape than promised (D19). Never turned into an empty list."""

    code = "bad_payload"

    def __init__(
        self, message: str, *, path: str, key: str | None = None, request_id: str | None = None
    ) -> None:
        super().__init__(message, request_id=request_id)
        self.path = path
        self.key = key


class StoreMissing(CreditAtlasError):
    """No snapshot yet."""

    code = "store_missing"


class MirrorMissing(CreditAtlasError):
    """Aggregates over an API come from its mirror (D33), and there is none yet."""

    code = "mirror_missing"

    @classmethod
    def of_figures(cls) -> "MirrorMissing":
        """Of what only all records together can tell."""
        return cls(
            "This needs figures over all records, which the API does not give one by one; "
            "fill the mirror on the Sources page"
        )


class NotRescored(CreditAtlasError):
    """A scenario runs our rules again; they did not score these loans, or have changed since."""

    code = "not_rescored"

    @classmethod
    def of_source(cls) -> "NotRescored":
        """Of loans that bear the scores of an API (D44)."""
        return cls(
            "What if runs Credit Atlas's own rules again, and these loans bear the scores of their "
            "source; read a store of your own to ask it"
        )


class NoHistory(CreditAtlasError):
    """A snapshot that keeps no period: nothing is known of earlier dates."""

    code = "no_history"


class NotOffered(CreditAtlasError):
    """A read beyond the specification's six endpoints that a service does not answer."""

    code = "not_offered"


class StoreBusy(CreditAtlasError):
    """Another import, or a program of another kind, is writing."""

    code = "store_busy"


class StoreDamaged(CreditAtlasError):
    """A snapshot whose files do not read: `found` is what is wrong, `message` also what to do."""

    code = "store_damaged"

    def __init__(self, message: str, *, found: str = "", request_id: str | None = None) -> None:
        super().__init__(message, request_id=request_id)
        self.found = found or message


class DeskUnavailable(CreditAtlasError):
    """Where watches and notes are written does not answer, does not read, or takes no writes."""

    code = "desk_unavailable"


class NoteConflict(CreditAtlasError):
    """Another version of a note stands than the one that was edited: `body` and `version` of it."""

    code = "note_conflict"

    def __init__(
        self, message: str, *, body: str = "", version: int = 0, request_id: str | None = None
    ) -> None:
        super().__init__(message, request_id=request_id)
        self.body = body
        self.version = version


class SearchConflict(CreditAtlasError):
    """Another version of a saved search stands than the one that was to be changed."""

    code = "search_conflict"


class CaseConflict(CreditAtlasError):
    """Another version of a case stands than the one that was to be changed, or one where none was
    expected.
    """

    code = "case_conflict"


class StoreFull(CreditAtlasError):
    """A snapshot that could not be written, for want of room; what was there before stays."""

    code = "store_full"


class ShelfUnavailable(CreditAtlasError):
    """A shelf that cannot be reached, read or written just now."""

    code = "shelf_unavailable"


class ShelfDamaged(CreditAtlasError):
    """An object of a shelf that is missing, or not what was published there."""

    code = "shelf_damaged"


class ShelfMoved(CreditAtlasError):
    """An environment was moved to another snapshot since this publisher looked."""

    code = "shelf_moved"


class NodesNotReady(CreditAtlasError):
    """Too few nodes have a snapshot; the environment stays at the one before."""

    code = "nodes_not_ready"


class ImportRefused(CreditAtlasError):
    """A file that the importer does not read; what was loaded before stays."""

    code = "import_refused"


class SettingsInvalid(CreditAtlasError):
    """A setting that cannot be used as it stands."""

    code = "settings_invalid"
