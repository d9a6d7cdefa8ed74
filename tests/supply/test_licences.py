"""The licences of what a team's installation runs on (D120)."""

import json

import pytest

from tests.supply.licences import ALLOWED, allowed, complete, licence_of, main
from tests.supply.locks import TEAM, read


@pytest.mark.parametrize("name", [one.name for one in read(TEAM) if one.here])
def test_every_package_says_its_licence_and_it_is_one_that_is_allowed(name):
    """D120."""
    assert allowed(licence_of(name)), licence_of(name)


@pytest.mark.parametrize(
    ("expression", "good"),
    [
        ("MIT", True),
        ("MPL-2.0 AND (Apache-2.0 OR MIT)", True),
        ("GPL-3.0-only", False),
        ("MIT OR GPL-3.0-only", False),
        ("MIT AND AGPL-3.0-or-later", False),
        ("GPL-2.0-only WITH Classpath-exception-2.0", False),
        ("unknown", False),
        ("Proprietary", False),
    ],
)
def test_a_licence_is_allowed_where_each_that_it_names_is(expression, good):
    assert allowed(expression) is good


def test_a_package_without_a_licence_or_that_is_not_there_is_not_allowed(capsys):
    assert licence_of("no-such-package") == "unknown"
    assert main(["pytest", "no-such-package"]) == 1
    assert "no-such-package             unknown   NOT ALLOWED" in capsys.readouterr().out
    assert main(["pytest"]) == 0


def test_a_part_whose_licence_the_tool_did_not_read_is_given_it(tmp_path):
    """D120."""
    sbom = tmp_path / "creditatlas.cdx.json"
    kept = {"name": "typer", "licenses": [{"license": {"id": "MIT"}}]}
    sbom.write_text(json.dumps({"components": [{"name": "protobuf"}, kept]}))
    complete(sbom)
    given = {"name": "protobuf", "licenses": [{"expression": "BSD-3-Clause"}]}
    assert json.loads(sbom.read_text()) == {"components": [given, kept]}


def test_no_licence_that_binds_those_who_serve_or_link_is_on_the_list():
    assert not [one for one in ALLOWED if one.startswith(("AGPL", "GPL", "SSPL", "BUSL"))]
