"""What if: scenarios of rates, NOI and cap rates over the loans that match."""
