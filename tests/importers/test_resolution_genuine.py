"""Owners of Hoboken on the test half: who is joined, and what names and addresses say of who
operates them. The figures are those that `python -m tests.bench.resolution` prints (D229).
"""

import pytest

from tests.bench import resolution
from tests.genuine import SHARED

JOINED = [
    "DADS II ASSOCS LLC -> DADS II ASSOC LLC",
    "S & S IMPROVEDHOUSING CO LLC -> S & S IMPROVED HOUSING COMPANY LLC",
    "SRI-WSA PROPERTIES 1, LLC -> SRI-WSA PROPERTIES 1 LLC",
    "SRI-WSA PROPERTIES 11, LLC -> SRI-WSA PROPERTIES 11 LLC",
]
OWNERS = SHARED / "owners-hoboken/companies.csv"


@pytest.mark.skipif(not OWNERS.is_file(), reason="the public data does not lie beside the project")
def test_owners_of_hoboken_on_the_test_half(capsys):
    resolution.of_owners(training=False)
    said = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert said[1] == "261 names, 4 joined, 6 proposed or better"
    assert [line.removeprefix("joined: ") for line in said if line.startswith("joined: ")] == JOINED
    figures = {
        line[: line.index(" precision")].rstrip(): line[line.index("precision") :]
        for line in said
        if " precision" in line
    }
    sure = "precision 1.000 (3/3), recall 0.058 (3/52)"
    assert figures["by name"] == figures["by name and address, as pairs are confirmed"] == sure
    for most, hubs in ((6, 3), (11, 1), (26, 0), (101, 0)):
        assert figures[f"by address alone, hubs from {most} names ({hubs} of them)"] == (
            "precision 1.000 (45/45), recall 0.865 (45/52)"
        )
