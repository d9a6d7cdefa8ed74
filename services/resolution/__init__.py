"""Which records of parties are one party: spellings, addresses, scores, and what is joined."""
