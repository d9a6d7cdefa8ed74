"""Reads that fail because bytes changed while their snapshot was open: a sentence, no traceback."""

from collections.abc import Callable, Iterator
from functools import wraps
from inspect import isfunction
from typing import Concatenate, Final, ParamSpec, Protocol, TypeVar, cast

from services.contract.errors import CreditAtlasError

from .checksums import Checksums

T = TypeVar("T")
P = ParamSpec("P")

#: How the name index ends over bytes that it cannot make sense of. It is no Exception, and has no
#: module to import it from.
_PANIC: Final = "PanicException"


class _Opened(Protocol):
    checksums: Checksums


class _Source(Protocol):
    reader: _Opened


def is_fault(error: BaseException) -> bool:
    """Whether it may come of bytes that changed: nothing that we say ourselves, and no stop."""
    panic = type(error).__name__ == _PANIC
    return panic or (isinstance(error, Exception) and not isinstance(error, CreditAtlasError))


def explained(source: type[T]) -> type[T]:
    """A source of which every read that fails looks for changed bytes, and raises StoreDamaged
    where it finds some; else what it raised.
    """
    for name, read in list(vars(source).items()):
        if isfunction(read) and not name.startswith("_"):
            setattr(source, name, _explained(read))
    return source


def _explained(read: Callable[Concatenate[_Source, P], T]) -> Callable[..., T]:
    @wraps(read)
    def explained_read(source: _Source, *given: P.args, **named: P.kwargs) -> T:
        try:
            answer = read(source, *given, **named)
        except BaseException as error:
            _look(source, error)
            raise
        return cast("T", _batches(source, answer)) if isinstance(answer, Iterator) else answer

    return explained_read


def _batches(source: _Source, answer: Iterator[T]) -> Iterator[T]:
    try:
        yield from answer
    except BaseException as error:
        _look(source, error)
        raise


def _look(source: _Source, error: BaseException) -> None:
    if is_fault(error):
        source.reader.checksums.check_again()
