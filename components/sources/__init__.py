"""The Sources page: what is loaded, the mirror of an API, rates, rules, decisions."""
