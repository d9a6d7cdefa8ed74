"""The OpenAPI document says what the service does: by hand, by schema, and by schemathesis."""

import os
import re
import subprocess
import sys
from pathlib import Path
from string import ascii_letters

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.api.document.parameters import readable
from services.contract.errors import InvalidRequest
from services.contract.queries import EntityQuery, SignalQuery, parse
from tests.tiers import examples

PARAMETERS = {
    "/v1/loans": ["state", "lender", "min_balance", "max_balance", "maturity_before",
                  "maturity_after", "rate_pressure", "page", "per_page"],
    "/v1/loans/{loan_number}": ["loan_number"],
    "/v1/entities": ["name", "confidence_min", "page", "per_page"],
    "/v1/entities/{loan_number}/ownership": ["loan_number"],
    "/v1/graph/paths": ["root", "depth", "page", "per_page"],
    "/v1/signals": ["state", "signal_type", "severity", "page", "per_page"],
}  # fmt: skip
#: Ours, beyond the specification (D187).
EXTENSIONS = {
    "/v1/loans/{loan_number}/history": ["loan_number", "since", "until", "sponsors"],
    "/v1/changes": ["since", "until", "kind", "state", "property_type", "lender", "min_balance",
                    "max_balance", "maturity_before", "maturity_after", "deal", "numbers",
                    "severity_before", "severity_after", "sponsors", "order", "page", "per_page"],
}  # fmt: skip
ASKED = {
    "/v1/loans": "/v1/loans?per_page=100",
    "/v1/loans/{loan_number}": "/v1/loans/CA-000001",
    "/v1/entities": "/v1/entities?per_page=100",
    "/v1/entities/{loan_number}/ownership": "/v1/entities/CA-000001/ownership",
    "/v1/graph/paths": "/v1/graph/paths?loan_number=CA-000001&depth=4",
    "/v1/signals": "/v1/signals?per_page=100",
    "/v1/loans/{loan_number}/history": "/v1/loans/CA-000001/history?sponsors=yes",
    "/v1/changes": "/v1/changes?per_page=100&sponsors=yes",
}
#: What OpenAPI cannot say: dates in their order and none before the first, a deal that there is.
BY_THE_BOOK = """
[[operations]]
include-path = "{}"
[operations.checks.positive_data_acceptance]
expected-statuses = ["2xx", "400", "404"]
"""
EXAMPLES = int(os.environ.get("ATLAS_SCHEMATHESIS_EXAMPLES", "15"))


@pytest.fixture(scope="module", params=["a", "b"])
def variant(request):
    return request.param


@pytest.fixture(scope="module")
def document(services, variant):
    return services[variant].get("/openapi.json", None).body


def test_the_document_needs_no_key_and_has_the_headers_of_every_answer(service, assert_headers):
    answer = service.get("/openapi.json", None)
    assert answer.status == 200
    assert_headers(answer)


def test_it_is_openapi_3_1_with_the_six_reads_ours_and_their_parameters(document):
    assert document["openapi"].startswith("3.1.")
    named = {
        path: [parameter["name"] for parameter in item["get"]["parameters"]]
        for path, item in document["paths"].items()
        if list(item) == ["get"]
    }
    assert named == PARAMETERS | EXTENSIONS
    assert list(named) == [*PARAMETERS, *EXTENSIONS]


def test_what_is_not_in_the_specification_is_said_to_be_ours(document):
    for path, item in document["paths"].items():
        ours = item["get"]["description"].startswith("Extension of Credit Atlas, not in the")
        assert ours == (path in EXTENSIONS), path
        assert (item["get"]["tags"] == ["Over time"]) == ours
    assert document["info"]["description"].count("/v1/changes") == 2  # of the tiers, and why
    units = document["components"]["schemas"]["HistoryRow"]["properties"]
    assert "Unit: US dollars, whole." in units["book_value"]["description"]
    assert "Unit: fraction: 0.92 is 92 %." in units["occupancy"]["description"]


def test_everything_is_described_for_people(document):
    for path, item in document["paths"].items():
        read = item["get"]
        assert read["summary"], path
        assert read["description"], path
        assert read["security"] == [{"key": []}]
        assert set(read["responses"]) >= {"200", "400", "401", "403", "404", "429", "500"}
        for parameter in read["parameters"]:
            assert parameter["description"], (path, parameter)
            assert "example" in parameter or "examples" in parameter
    for name in ("Loan", "LoanDetail", "Entity", "Edge", "Signal", "HistoryRow", "Event"):
        fields = document["components"]["schemas"][name]["properties"]
        missing = [key for key, field in fields.items() if "description" not in field]
        assert set(missing) <= {"components"}, name


def test_the_bounds_are_those_of_the_specification(document):
    def schema(path, name):
        listed = document["paths"][path]["get"]["parameters"]
        return next(one["schema"] for one in listed if one["name"] == name)

    per_page = {"type": "integer", "minimum": 1, "maximum": 100, "default": 25}
    assert schema("/v1/loans", "per_page") == per_page
    assert schema("/v1/graph/paths", "per_page") == per_page | {"maximum": 25}
    assert schema("/v1/graph/paths", "depth") == per_page | {"maximum": 6, "default": 3}
    assert schema("/v1/entities", "confidence_min") == {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
    }
    assert schema("/v1/loans", "maturity_before") == {"type": "string", "format": "date"}


def resolved(document, node):
    """A schema or response with its references in place."""
    if isinstance(node, dict):
        if "$ref" in node:
            part, name = node["$ref"].split("/")[-2:]
            return resolved(document, document["components"][part][name])
        return {key: resolved(document, value) for key, value in node.items()}
    return [resolved(document, one) for one in node] if isinstance(node, list) else node


@pytest.mark.parametrize("path", ASKED)
def test_answers_and_examples_keep_to_their_schema(services, variant, document, path):
    content = document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]
    schema = resolved(document, content["schema"])
    jsonschema.validate(content["example"], schema)
    jsonschema.validate(services[variant].get(ASKED[path]).body, schema)
    data = content["example"]["data"]
    kind = schema["properties"]["data"]
    listed = kind.get("items", kind)["properties"]
    assert set(data[0] if isinstance(data, list) else data) >= set(listed)


def test_errors_keep_to_their_schema(service, document):
    responses = document["paths"]["/v1/loans"]["get"]["responses"]
    for status, path in (("400", "/v1/loans?page=0"), ("404", "/nowhere")):
        content = resolved(document, responses[status])["content"]["application/json"]
        jsonschema.validate(service.get(path).body, content["schema"])
        jsonschema.validate(content["example"], content["schema"])


def accepted(kind, name, text):
    try:
        parse(kind, {name: text})
    except InvalidRequest:
        return False
    return True


@examples(60, 300)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12))
def test_the_pattern_of_readable_text_is_what_the_service_accepts(text):
    assert bool(re.search(readable(), text)) == accepted(EntityQuery, "name", text)


def test_the_pattern_of_states_is_what_the_service_accepts(service):
    listed = service.get("/openapi.json").body["paths"]["/v1/signals"]["get"]["parameters"]
    pattern = listed[0]["schema"]["pattern"]
    codes = [first + second for first in ascii_letters for second in ascii_letters]
    for code in [*codes, "TEX", "T", "Texas", "\u017f\u0441"]:
        assert bool(re.search(pattern, code)) == accepted(SignalQuery, "state", code), code


def test_schemathesis_finds_nothing(service, tmp_path):
    """All checks, one seed; ATLAS_SCHEMATHESIS_EXAMPLES=200 for the long run."""
    key = service.keys["complete", "production"]
    said = "".join(map(BY_THE_BOOK.format, ("/v1/changes", "/v1/loans/{loan_number}/history")))
    (tmp_path / "schemathesis.toml").write_text(said, encoding="utf-8")
    done = subprocess.run(
        [
            Path(sys.executable).with_name("schemathesis"),
            "run",
            f"http://127.0.0.1:{service.port}/openapi.json",
            *("--header", f"Authorization: Bearer {key}"),
            *("--checks", "all", "--seed", "1", "--max-examples", str(EXAMPLES)),
            *("--suppress-health-check", "too_slow", "--no-color"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6_000:] + done.stderr
    assert "Tested: 8" in done.stdout
