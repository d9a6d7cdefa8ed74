"""The one loop that waits: repeats a question until the answer is yes."""

import time
from collections.abc import Callable
from typing import Any, Final

#: A guard against what hangs: no test is about how long anything takes.
SECONDS: Final = 120


def until(answer: Callable[[], Any], seconds: float = SECONDS) -> Any:
    """The first answer that is true. AssertionError says the last one that was not."""
    ends = time.monotonic() + seconds
    while not (found := answer()):
        assert time.monotonic() < ends, f"after {seconds} seconds still {found!r}"
        time.sleep(0.02)
    return found
