"""From the text of a URL to a query of the contract, whose `parse` holds all bounds."""

from typing import Final, TypeVar
from urllib.parse import parse_qsl, unquote_plus

from services.contract.errors import InvalidRequest
from services.contract.queries import PathQuery, Question, parse, shortened

from .keys import KEY_SHAPE

Q = TypeVar("Q", bound=Question)
_MOST: Final = 50
#: Names under which people put a key into a URL.
_KEY_NAMES: Final = frozenset(
    {"key", "apikey", "token", "accesstoken", "auth", "authorization", "bearer", "secret"}
)


def query_of(kind: type[Q], query_string: bytes) -> Q:
    """The query that a URL asks. Raises InvalidRequest (D4, D6, D7, D35; a parameter twice)."""
    if not query_string:
        return parse(kind, {})
    refuse_key(query_string)
    given: dict[str, str] = {}
    for name, value in _pairs(query_string):
        if name in given:
            raise InvalidRequest(
                f"Parameter '{shortened(name)}' is given more than once", parameter=shortened(name)
            )
        given[name] = value
    return parse(kind, given)


def loan_number_of(text: str) -> str:
    """A loan number out of a path, within the bounds of the contract. Raises InvalidRequest."""
    return str(parse(PathQuery, {"loan_number": text}).loan_number)


def refuse_key(query_string: bytes) -> None:
    """Raises InvalidRequest when a URL seems to hold a key (D35), without repeating it."""
    if not query_string:
        return
    text = unquote_plus(query_string.decode("latin-1"))
    names = (part.partition("=")[0] for part in text.split("&"))
    if KEY_SHAPE.search(text) or any(
        name.casefold().replace("_", "").replace("-", "") in _KEY_NAMES for name in names
    ):
        raise InvalidRequest(
            "A key does not belong in a URL, which is logged and shared; send it as the header "
            "'Authorization: Bearer <API_KEY>', and have this one revoked"
        )


def refuse_any(query_string: bytes) -> None:
    """Raises InvalidRequest when a path that takes no parameters was given some."""
    if query_string:
        refuse_key(query_string)
        for name, _ in _pairs(query_string):
            raise InvalidRequest(
                f"Unknown parameter '{shortened(name)}'; this path takes none",
                parameter=shortened(name),
            )


def _pairs(query_string: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(
            query_string.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MOST,
        )
    except UnicodeDecodeError:
        raise InvalidRequest("The query of the URL is not percent-encoded UTF-8") from None
    except ValueError:
        raise InvalidRequest(f"The URL has more than {_MOST} parameters") from None
