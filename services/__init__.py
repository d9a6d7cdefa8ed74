"""Everything below the screen: contract, store, client, service, importers, signals. No Streamlit.

Rows, each importing only rows below it (import-linter keeps this):
cli / api / sources / mirror / pipeline / client, store, importers / signals / names, rates /
settings / contract.
"""
