"""`make licences`: the licence of every package that a team's installation runs on.

    python -m tests.supply.licences [SBOM]

Exit code 1 where one is not in ALLOWED, or says nothing of its licence. SBOM is a file of CycloneDX
as `make sbom` writes it: components in it that lack a licence are given theirs.
"""

import json
import re
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Final

from tests.supply.locks import TEAM, read

#: Of these a bank may run what it does not change. MPL and LGPL ask for the source of their own
#: files only, and we change none. OFL is for fonts: it asks that they are not sold by themselves.
ALLOWED: Final = frozenset(
    {"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "LGPL-3.0-only"}
    | {"MIT", "MIT-0", "MIT-CMU", "MPL-2.0", "OFL-1.1", "PSF-2.0", "Zlib"}
)
#: What packages write that do not use SPDX's words.
_WORDS: Final = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache License 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "SIL Open Font License 1.1 (OFL-1.1)": "OFL-1.1",
}


def licence_of(name: str) -> str:
    """What an installed package says of its licence, in SPDX's words; "unknown" without any."""
    try:
        said = metadata(name)
    except PackageNotFoundError:
        return "unknown"
    if expression := said.get("License-Expression"):
        return expression
    kinds = [one for one in said.get_all("Classifier") or () if one.startswith("License :: ")]
    words = [one.rpartition(" :: ")[2] for one in kinds]
    if not words and (text := said.get("License")) and "\n" not in text:
        words = [text]
    return " AND ".join(sorted({_WORDS.get(one, one) for one in words})) or "unknown"


def allowed(expression: str) -> bool:
    """Whether every licence that an expression names is allowed, a choice's too."""
    named = re.sub(r"[()]|\b(AND|OR)\b", "\n", expression).split("\n")
    return all(one.strip() in ALLOWED for one in named if one.strip())


def complete(sbom: Path) -> None:
    """Gives each component its licence, where the tool that wrote the file knew no SPDX word."""
    said = json.loads(sbom.read_bytes())
    for one in said["components"]:
        one.setdefault("licenses", [{"expression": licence_of(one["name"])}])
    sbom.write_text(json.dumps(said, indent=2) + "\n", encoding="utf-8")


def main(names: Sequence[str]) -> int:
    """Prints them; 1 where one is not allowed."""
    found = {name: licence_of(name) for name in names}
    for name, licence in found.items():
        print(f"{name:<28}{licence}{'' if allowed(licence) else '   NOT ALLOWED'}")
    return 0 if all(map(allowed, found.values())) else 1


if __name__ == "__main__":
    for word in sys.argv[1:]:
        complete(Path(word))
    sys.exit(main([one.name for one in read(TEAM) if one.here]))
