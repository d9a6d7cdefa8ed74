"""Everything below the screen: contract, embedded store, importers, signals. No Streamlit here.

Rows, each importing only rows below it (import-linter keeps this):
cli / sources / pipeline / store, importers / signals / names, rates / settings / contract.
"""
