"""Where figures come from, and the memo of a loan, in which each figure says so."""
