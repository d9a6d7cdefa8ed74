"""How the dashboard is served: one ASGI application over app.py, and what it adds to Streamlit."""
