"""V10: OAuth and OpenID Connect."""

_NONE = "Neither client nor server of OAuth or OpenID Connect: the sign-in proxy is one."
_MANY = {1: 2, 2: 2, 3: 4, 4: 11, 5: 5, 6: 2, 7: 3}
DOES_NOT_APPLY = {
    f"V10.{section}.{number}": _NONE
    for section, many in _MANY.items()
    for number in range(1, many + 1)
}
