"""The last run, as it lies in the store's folder, and the run that ships with the program."""

import os
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from services.contract.errors import StoreDamaged
from services.contract.track_record import TrackRecord

#: The last run, in the store's folder; beside the snapshots, of which it is no part.
FILE: Final = "track_record.json"
_PACKAGED: Final = "packaged_run.json"


def packaged_run() -> TrackRecord:
    """The run over 84 monthly filings of one trust, UBS 2017-C1, by the packaged rules."""
    text = files(__package__).joinpath(_PACKAGED).read_text(encoding="utf-8")
    return TrackRecord.model_validate_json(text)


def last_run(store: Path) -> TrackRecord | None:
    """The run that lies in a store's folder; None where none does.

    Raises StoreDamaged for a file that does not read, or has another shape.
    """
    path = store / FILE
    try:
        return TrackRecord.model_validate_json(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValidationError) as error:
        raise StoreDamaged(
            f"The track record '{path}' does not read ({type(error).__name__}); run "
            "'creditatlas track-record' over its filings again, or remove the file"
        ) from None


def save(run: TrackRecord, path: Path) -> None:
    """Writes a run whole, or leaves what was there; makes the folder. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(run.model_dump_json(indent=1) + "\n")
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
