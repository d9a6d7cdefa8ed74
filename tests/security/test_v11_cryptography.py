"""V11: hashes, comparisons and random values, all of Python's own library."""

import ast
import re

import pytest

from services.api.keys import KEY_SHAPE, digest_of, new_secret
from tests.security.source import PRODUCT, calls, named
from tests.security.standard import HERE, shows

SHOWN_BY = {
    "V11.2.3": (
        "tests/test_bad_settings.py"
        "::test_a_bad_value_is_refused_at_the_start_in_a_sentence_that_names_it"
    ),
    "V11.5.1": "tests/api/test_keys.py::test_a_key_is_returned_once_and_only_its_hash_is_kept",
}
WRITTEN = {
    "V11.1.1": ("tests/security/README.md", "| secret | made by | lies in | how it is replaced |"),
    "V11.2.2": ("tests/security/README.md", "Every kept hash stands beside the version"),
}
_NOT_ENCRYPTED = "Nothing is encrypted here: disks are the operating system's, the network TLS's."
DOES_NOT_APPLY = {
    "V11.3.1": _NOT_ENCRYPTED,
    "V11.3.2": _NOT_ENCRYPTED,
    "V11.3.3": _NOT_ENCRYPTED,
    "V11.4.2": "No passwords. A key of the API is 256 random bits, which nobody guesses: one round "
    "of SHA-256 keeps it (services/api/keys.py).",
    "V11.4.4": "No key is made from a password.",
    "V11.6.1": "No pair of keys is made or used; certificates of TLS are the proxy's.",
}
#: Packages that do cryptography.
LIBRARIES = {"hashlib", "hmac", "secrets", "ssl", "cryptography", "nacl", "Crypto", "OpenSSL"}


def uses():
    """Where the product calls one of them: file and function."""
    for file, _, call in calls():
        called = call.func
        if isinstance(called, ast.Attribute) and ast.unparse(called.value) in LIBRARIES:
            yield file, ast.unparse(called)
    for file, tree in PRODUCT.items():
        for one in ast.walk(tree):
            if isinstance(one, ast.ImportFrom) and one.module in LIBRARIES:
                yield from ((file, f"{one.module}.{alias.name}") for alias in one.names)


@shows("V11.1.2", "V11.2.1", "V11.4.1", "V11.4.3")
def test_every_use_of_cryptography_is_listed_and_of_pythons_own_library():
    found = {said for _, said in uses()}
    assert found <= {
        *("hashlib.file_digest", "hashlib.sha256", "hmac.compare_digest", "hmac.new"),
        *("secrets.token_hex", "secrets.token_urlsafe"),
    }
    text = (HERE / "README.md").read_text(encoding="utf-8")
    listed = text.partition("## Cryptography")[2].partition("\n## ")[0]
    files = {file for file, _ in uses()}
    assert [file for file in sorted(files) if f"`{file}`" not in listed] == []


@shows("V11.5.1")
def test_a_value_that_nobody_may_guess_comes_from_the_operating_system():
    """`random` draws jitter of retries, and numpy made-up loans and samples: no secret."""
    files = {file for file, tree in PRODUCT.items() if "random" in set(named(tree))}
    assert files == {"services/client/source.py"}
    assert not {file for file, tree in PRODUCT.items() if "uuid" in set(named(tree))}


@shows("V11.5.1")
@pytest.mark.parametrize("environment", ["production", "sandbox"])
def test_a_key_has_256_random_bits_and_no_two_are_alike(environment):
    made = [new_secret(environment) for _ in range(1_000)]
    assert len(set(made)) == 1_000
    for one in made:
        assert KEY_SHAPE.fullmatch(one)
        assert len(one.split("_", 2)[2]) == 43  # of 64 letters: 256 bits and two more
    assert re.fullmatch(r"[0-9a-f]{64}", digest_of(made[0]))


@shows("V11.2.1")
def test_secrets_are_compared_in_the_same_time_whatever_they_are():
    found = {file for file, said in uses() if said == "hmac.compare_digest"}
    assert {"services/sign_in.py", "services/api/keys.py"} <= found
