"""`python -m sobremesa` is the same as the `sobremesa` command.

Rule 1: nothing but this file is loaded before an interruption is caught.
"""

import signal
import sys


def main() -> int:
    """Run the command; returns the exit status."""
    try:
        from sobremesa.cli.main import main as run

        return run()
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


if __name__ == "__main__":
    sys.exit(main())
