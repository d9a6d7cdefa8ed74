"""The Chromium of this machine, started the same way by the browser tests and by the benchmark."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
]


def chromium_path() -> str | None:
    """Where it is; None where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


#: WebGL is drawn by the processor here: pages are drawn faster without it, and maps more slowly.
WITHOUT_GPU = "--disable-gpu-compositing"


@contextmanager
def started(path: str, *further: str) -> Iterator[Browser]:
    """A browser without a window, with further flags, while the block lasts."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*_FLAGS, *further])
        yield browser
        browser.close()
