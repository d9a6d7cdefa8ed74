"""Files that snapshots share: the same file under several names, until the last of them goes."""

import os
import shutil
from pathlib import Path


def linked_tree(source: Path, target: Path) -> None:
    """The same folder once more, its files shared."""
    shutil.copytree(source, target, copy_function=linked)


def linked(source: str, target: str) -> None:
    """The same file once more: a link, or a copy on a disk without links."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
