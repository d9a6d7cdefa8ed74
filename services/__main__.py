"""`python -m services` is `creditatlas`."""

from services.cli import main

if __name__ == "__main__":  # worker processes of `serve` import this module again
    main()
