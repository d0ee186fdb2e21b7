"""`python -m sobremesa` is the same as the `sobremesa` command."""

import sys

from sobremesa.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
