"""python -m scoring: hands over to cli.py, or to the command of one reproduced system."""

import io
import sys

from scoring.cli import main

if __name__ == "__main__":
    if isinstance(sys.stdout, io.TextIOWrapper):
        # The texts of a task need more letters than some terminals' encodings have.
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))
