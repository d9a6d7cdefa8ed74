"""PostgreSQL for whoever keeps something there: connections, and tables by numbered scripts."""
