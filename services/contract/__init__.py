"""The waist: records, queries, errors and the two Protocols that pages and data meet at.

Imports nothing of Credit Atlas. `portfolio` is the one module here that needs pyarrow; it is
imported by the pipeline's side only, so pages stay light.
"""

from importlib.resources import files


def decisions_text() -> str:
    """DECISIONS.md: every gap of the specification, and how it is closed."""
    return files(__package__).joinpath("DECISIONS.md").read_text(encoding="utf-8")
