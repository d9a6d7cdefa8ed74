"""History: a loan, a family and several loans through the filings that were imported."""
