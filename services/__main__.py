"""`python -m services` is `creditatlas`."""

from services.cli import main

main()
