"""V15: how the program is built, and of what."""

import re
import tomllib

import pytest

from services.api.serving import config_of
from tests.security.asked import asked
from tests.security.source import SCRIPTS
from tests.security.standard import ROOT, shows

SHOWN_BY = {
    "V15.1.2": (
        (
            "tests/supply/test_locks.py"
            "::test_every_package_has_one_version_and_the_hash_of_every_file_of_it"
        ),
        "tests/supply/test_locks.py::test_nothing_is_installed_that_no_lock_names",
    ),
    "V15.2.2": (
        "tests/store/test_graph.py::test_a_level_above_the_budget_is_not_begun",
        (
            "tests/components/test_export_formats.py"
            "::test_a_workbook_is_not_offered_beyond_250_000_rows_and_a_csv_is_zipped"
        ),
        "tests/api/test_hostile.py::test_many_at_once_are_all_answered",
    ),
    "V15.2.3": "tests/serving/test_bounds.py::test_ways_in_for_developers",
    "V15.3.1": "tests/api/test_endpoints.py"
    "::test_a_list_of_loans_has_exactly_the_keys_of_its_variant",
    "V15.3.2": "tests/client/test_faults.py::test_no_redirect_is_followed",
    "V15.3.3": (
        "tests/contract/test_queries.py::test_a_parameter_of_another_endpoint_is_unknown",
        "tests/components/test_field_bar.py::test_what_names_no_field_is_not_heeded",
    ),
    "V15.3.5": (
        "tests/test_types.py::test_a_wrong_question_or_answer_is_refused",
        "tests/contract/test_queries.py::test_anything_else_is_no_whole_number",
    ),
    "V15.3.7": "tests/api/test_errors.py::test_a_bad_parameter_is_a_400_that_names_it",
}
WRITTEN = {
    "V15.1.1": ("CONTRIBUTING.md", "A critical hole is mended within 7 days of being known"),
    "V15.1.3": ("services/README.md", "a level of the walk that reads more edges is not begun"),
}
NOT_MET = {
    "V15.2.1": "No file of known holes has been at hand where this is written.",
}


@shows("V15.2.3")
def test_what_is_installed_holds_the_product_and_no_tests():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found = project["tool"]["setuptools"]["packages"]["find"]["include"]
    assert sorted(found) == ["components*", "pages*", "services*"]
    needed = " ".join(project["project"]["dependencies"])
    assert not re.search(r"pytest|hypothesis|ruff|mypy|playwright|debugpy", needed)


@shows("V15.3.4")
def test_the_address_of_a_client_is_believed_of_a_proxy_that_is_named_and_of_nobody_else(api):
    assert config_of("x:y").proxy_headers is False
    behind = config_of("x:y", trusted_proxy="192.0.2.1")
    assert (behind.proxy_headers, behind.forwarded_allow_ips) == (True, "192.0.2.1")
    # Whoever says that they are somebody else is counted as before.
    left = []
    for number in range(3):
        forged = {
            "X-Forwarded-For": f"198.51.100.{number}",
            "Forwarded": f"for=198.51.100.{number}",
        }
        answer = asked(api.address, "/v1/loans", headers=forged)
        left.append(int(answer.headers["X-RateLimit-Remaining"]))
    assert left[0] > left[1] > left[2]


@shows("V15.3.6")
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_of_ours_merges_no_names_of_the_data_into_an_object(name):
    """Names of parties are keys of a Map or of nothing; `__proto__` is a word like any other."""
    text = SCRIPTS[name]
    assert "__proto__" not in text
    assert not re.search(r"\bfor \((?:const|let|var) \w+ in ", text)
    assert not re.search(r"\.prototype\b", text)
    # A copy by spread or assign takes own fields of objects that Python sent, by fixed names.
    assert not re.search(r"(deepMerge|merge|extend|defaultsDeep)\(", text)
