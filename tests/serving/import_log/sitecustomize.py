"""A server that writes down every module that it looks for, one a line.

Python runs this file when it starts with this folder in PYTHONPATH; IMPORT_LOG names the file.
"""

import os
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path


class ImportLog(MetaPathFinder):
    """Finds nothing itself; it only takes notes."""

    def __init__(self, path: Path) -> None:
        self._lines = path.open("a", encoding="utf-8", buffering=1)

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        """None, for every module."""
        del path, target
        self._lines.write(f"{fullname}\n")


sys.meta_path.insert(0, ImportLog(Path(os.environ["IMPORT_LOG"])))
