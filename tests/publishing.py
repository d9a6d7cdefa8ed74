"""Portfolios as a snapshot of a folder, in one call."""

from services import pipeline
from services.store.publisher import SnapshotPublisher


def load(folder, portfolios, *, keep=2, **how):
    """What `pipeline.load` publishes in a store's folder."""
    return pipeline.load(portfolios, into=SnapshotPublisher(folder, keep=keep), **how)
