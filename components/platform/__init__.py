"""Streamlit's inside: the one room that names its private modules, classes and test ids."""
