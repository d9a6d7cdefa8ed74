"""The track record: what became of loans after they were graded."""
