"""Who may read what (spec 5, 8.4): tiers, environments, and keys that are not good."""

import json
import logging

import pytest

from services.contract.records import LoanDetail

READS = {
    "/v1/loans": {"base", "complete"},
    "/v1/loans/CA-000001": {"base", "complete"},
    "/v1/signals": {"base", "complete"},
    "/v1/entities": {"resolution", "complete"},
    "/v1/entities/CA-000001/ownership": {"resolution", "complete"},
    "/v1/graph/paths?loan_number=CA-000001": {"capital_graph", "complete"},
}
TIERS = ["base", "resolution", "capital_graph", "complete"]


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("path", READS)
def test_a_tier_opens_its_endpoints_and_no_others(service, path, tier, assert_error_shape):
    # D48
    answer = service.get(path, tier)
    if tier in READS[path]:
        assert answer.status == 200
    else:
        assert_error_shape(answer, 403, "does not cover this endpoint")


def test_a_403_names_the_tiers_that_open_the_endpoint(service):
    message = service.get("/v1/graph/paths", "base").body["error"]["message"]
    assert message == (
        "The licence tier Base of this key does not cover this endpoint; "
        "Capital Graph and Complete do"
    )


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [("Authorization", "")],
        [("Authorization", "Bearer")],
        [("Authorization", "Bearer ca_live_" + "x" * 43)],
        [("Authorization", "Basic dXNlcjpwYXNz")],
        [("Authorization", "Bearer \xff\xfe")],
        [("Authorization", "Bearer " + "x" * 5_000)],
        [("X-Api-Key", "anything")],
    ],
    ids=["none", "empty", "no key", "unknown", "basic", "not ascii", "long", "other header"],
)
def test_without_a_good_key_the_answer_is_401(service, headers, assert_error_shape):
    assert_error_shape(service.get("/v1/loans", None, headers=headers), 401, "Authorization")


def test_two_keys_are_not_a_key(service, assert_error_shape):
    secret = service.keys["complete", "production"]
    twice = [("Authorization", f"Bearer {secret}")]
    assert_error_shape(service.get("/v1/loans", headers=twice), 401)


def test_the_scheme_is_known_in_any_case(service):
    secret = service.keys["base", "production"]
    headers = [("authorization", f"bEARER {secret}")]
    assert service.get("/v1/loans", None, headers=headers).status == 200


@pytest.mark.parametrize("key", ["complete", None])
@pytest.mark.parametrize("name", ["api_key", "apikey", "API-Key", "key", "access_token", "token"])
def test_a_key_in_the_url_is_refused(service, name, key, assert_error_shape):
    # D35
    answer = service.get(f"/v1/loans?{name}=anything", key)
    assert_error_shape(answer, 400, "does not belong in a URL")


def test_a_key_as_the_value_of_any_parameter_is_refused_and_not_repeated(service):
    secret = service.keys["base", "production"]
    for path in (f"/v1/loans?lender={secret}", f"/v1/loans?{secret}", f"/nowhere?x={secret}"):
        answer = service.get(path, None)
        assert answer.status == 400
        assert secret.encode() not in answer.raw


class Named:
    """A source whose only loan is named after it."""

    def __init__(self, name):
        self.name = name

    def loan(self, loan_number):
        return LoanDetail(loan_number=loan_number, lender_normalized=self.name)


def test_a_key_reads_the_environment_it_is_for(serve, assert_error_shape):
    with serve(Named("production")) as service:
        one = service.keys["base", "production"]
        assert service.get("/v1/loans/1", one).body["data"]["lender_normalized"] == "production"
        other = service.get("/v1/loans/1", service.keys["base", "sandbox"])
        assert_error_shape(other, 403, "sandbox environment, which is not served here")


def test_a_revoked_key_is_refused_at_its_next_request(serve, assert_error_shape):
    with serve(Named("x")) as service:
        assert service.get("/v1/loans/1").status == 200
        secret = service.keys["complete", "production"]
        service.file.revoke(service.file.find(secret).id)
        assert_error_shape(service.get("/v1/loans/1"), 401, "not valid or was revoked")
        added = service.file.add("base", "production")
        assert service.get("/v1/loans/1", added).status == 200


def test_a_key_file_that_is_gone_opens_nothing(serve, assert_error_shape):
    with serve(Named("x")) as service:
        service.file.path.unlink()
        assert_error_shape(service.get("/v1/loans/1"), 500)


def test_the_log_has_one_line_a_request_and_never_a_key(serve, caplog):
    with caplog.at_level(logging.INFO, "creditatlas.access"), serve(Named("x")) as service:
        secret = service.keys["base", "production"]
        good = service.get("/v1/loans/SECRET-NUMBER", secret)
        service.get("/v1/loans/2", "ca_live_unknown")
        service.get(f"/nowhere?api_key={secret}", None)
    lines = [record.msg for record in caplog.records if record.name == "creditatlas.access"]
    assert [line["status"] for line in lines] == [200, 401, 400]
    first = lines[0]
    assert first["request_id"] == good.body["meta"]["request_id"]
    assert (first["method"], first["path"]) == ("GET", "/v1/loans/{loan_number}")
    assert (first["key"], first["environment"]) == (service.file.find(secret).id, "production")
    assert first["ms"] >= 0
    assert lines[1]["client"] == "127.0.0.1"
    assert lines[2]["path"] == "unknown"
    text = json.dumps(lines)
    assert secret not in text
    assert "ca_live_unknown" not in text
    assert "SECRET-NUMBER" not in text
