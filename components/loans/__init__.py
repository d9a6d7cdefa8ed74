"""The Loans and Loan pages: filters, table, look-up, the panels of one loan."""
