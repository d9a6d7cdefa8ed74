"""What became of loans after they were graded: a history of filings, scored and looked at again."""
