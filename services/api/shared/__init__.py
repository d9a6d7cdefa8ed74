"""What several nodes of the service share: keys and daily quotas in PostgreSQL, rates in Redis."""
