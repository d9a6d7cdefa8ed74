"""What commands take from a terminal alike, and what they show on it while they work."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from services.contract.errors import SettingsInvalid

Report = Callable[[str, float], None]


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
    """A bar on a terminal's error stream; nothing where there is no terminal."""
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

        def report(stage: str, fraction: float) -> None:
            bar.update(task, description=stage, completed=fraction)

        yield report
