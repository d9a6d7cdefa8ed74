"""What users write: watches, notes, and what changed since they last looked."""
