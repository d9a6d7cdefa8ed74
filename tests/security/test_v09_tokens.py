"""V9: tokens that say by themselves who bears them."""

_NONE = "No such tokens: a user is named by the proxy's headers, a key is looked up by its hash."
DOES_NOT_APPLY = {
    **{f"V9.1.{number}": _NONE for number in range(1, 4)},
    **{f"V9.2.{number}": _NONE for number in range(1, 5)},
}
