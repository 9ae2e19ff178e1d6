"""`python -m sessionscan` is the command `sessionscan`."""

import sys

from sessionscan.cli import main

if __name__ == "__main__":
    sys.exit(main())
