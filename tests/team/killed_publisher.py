"""Publishes, and kills itself as kill -9 does: at a step, before or after it, or after some time.

A step is one object that is written or created. Started by test_shelf.py, in a process of its own.
"""

import itertools
import os
import signal
import sys
import threading
from pathlib import Path

from services.shelf.objects import Objects
from services.shelf.publishing import publish
from services.shelf.shelf import Environment, Shelf


def die() -> None:
    """As kill -9 does it."""
    os.kill(os.getpid(), signal.SIGKILL)


def arm(step: int, when: str) -> None:
    """Makes this process die before or after it has written so many objects."""
    count = itertools.count()
    for name in ("write", "create"):
        call = getattr(Objects, name)

        def fatal(*given, call=call):
            due = next(count) == step
            if due and when == "before":
                die()
            answer = call(*given)
            if due:
                die()
            return answer

        setattr(Objects, name, fatal)


def main() -> None:
    store, url, when, point = sys.argv[1:]
    if when == "seconds":
        threading.Timer(float(point), die).start()
    else:
        arm(int(point), when)
    environment = Environment(Shelf(Objects.at(url)), "production")
    publish(environment, Path(store), progress=lambda *_: None)
    die()


if __name__ == "__main__":
    main()
