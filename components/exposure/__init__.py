"""What a party is to its loans, in words, and why pages count different numbers of them."""
