"""Snapshots that several nodes share: published to a folder or an S3-compatible object store, and
followed from there (README.md).
"""
