"""V6: the dashboard knows users by a sign-in proxy, the API by keys. Neither knows a password."""

SHOWN_BY = {
    "V6.3.1": "tests/api/test_limits.py::test_keys_are_counted_apart_and_from_clients_without_one",
    "V6.3.2": (
        "tests/test_sign_in.py::test_without_a_default_somebody_of_no_group_is_no_user",
        "tests/api/test_commands.py::test_serving_without_a_key_file_says_how_to_make_one",
    ),
    "V6.3.4": (
        "tests/serving/test_sign_in.py::test_only_what_comes_by_the_proxy_is_answered",
        "tests/serving/test_bounds.py::test_ways_in_for_developers",
        "tests/api/test_access.py::test_without_a_good_key_the_answer_is_401",
    ),
}
WRITTEN = {
    "V6.1.1": ("services/api/README.md", "or a client address without a good key (D20)"),
    "V6.1.3": ("tests/security/README.md", "## Who signs in, and how"),
}
_PROXY = "Proxy: it asks for passwords and factors; this program never sees one."
LEFT_TO = {
    "V6.3.3": _PROXY,
    "V6.8.2": "Proxy: it checks assertions; here its headers count beside a shared secret only.",
    "V6.8.3": "Proxy: it takes SAML.",
    "V6.8.4": "Proxy: it says nothing of how somebody signed in, so nothing here rests on it.",
}
_NO_PASSWORDS = "No passwords: users come from the sign-in proxy."
_NO_FACTORS = "No second factors: users come from the sign-in proxy."
DOES_NOT_APPLY = {
    "V6.1.2": _NO_PASSWORDS,
    **{f"V6.2.{number}": _NO_PASSWORDS for number in range(1, 13)},
    "V6.4.1": "No first passwords. A key of the API is 256 random bits and is what stays in use.",
    **{f"V6.4.{number}": _NO_PASSWORDS for number in (2, 3, 4)},
    **{f"V6.5.{number}": _NO_FACTORS for number in range(1, 6)},
    **{f"V6.6.{number}": _NO_FACTORS for number in range(1, 4)},
    "V6.8.1": "One proxy, which shares one secret, names all users.",
}
