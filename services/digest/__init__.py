"""The digest: what changed in the book, as a page of HTML or plain text for mail."""
