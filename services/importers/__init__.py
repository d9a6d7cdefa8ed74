"""Sources of data, one package each: source.py reads, a .toml beside it says what maps to what."""
