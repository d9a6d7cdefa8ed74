"""What edges rest on, and who a party is: opened where an edge or a party is shown."""
