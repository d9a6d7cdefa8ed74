"""Pages are scripts that app.py runs; components/frame/shell.py says how."""
