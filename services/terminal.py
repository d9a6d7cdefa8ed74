"""What commands take from a terminal alike, and what they show on it while they work."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from services.contract.errors import SettingsInvalid

Report = Callable[[str, float], None]
#: Seconds of work without a terminal after which a line says how far it is.
BETWEEN_LINES: Final = 10.0


def folder(text: str, option: str = "--store") -> Path:
    """A folder that an option names: never the one the process stands in, where it names none."""
    if not text.strip():
        raise SettingsInvalid(f"{option} is blank; name a folder, or leave the option out")
    return Path(text)


StoreFolder = Annotated[
    Path | None,
    typer.Option(
        "--store",
        parser=folder,
        metavar="PATH",
        help="Folder of the store.",
        show_default=".store or CREDIT_ATLAS_STORE",
    ),
]


@contextmanager
def progress_bar() -> Iterator[Report]:
    """A bar on a terminal's error stream; where that is no terminal, a line now and then."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    console = Console(stderr=True)
    with Progress(
        *columns,
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task("starting", total=1.0)
        said = time.monotonic()

        def report(stage: str, fraction: float) -> None:
            nonlocal said
            bar.update(task, description=stage, completed=fraction)
            if bar.disable and time.monotonic() >= said + BETWEEN_LINES:
                said = time.monotonic()
                typer.echo(f"{stage}: {fraction:.0%} done", err=True)

        yield report
