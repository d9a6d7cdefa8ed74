"""Pages are scripts that app.py runs; components/shell.py says how."""
