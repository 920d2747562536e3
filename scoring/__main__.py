"""python -m scoring: hands over to cli.py, or to the command of one reproduced system."""

import importlib
import io
import os
import sys
from collections.abc import Sequence

from scoring import commands

# The matrix products of a resampling are small: several threads mostly wait for each other. Read as NumPy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main(argv: Sequence[str]) -> int:
    try:
        if argv and argv[0] in commands.names():
            return commands.run(argv)
        # By name: the engine takes longer to load than some commands take to run.
        return int(importlib.import_module("scoring.cli").main(argv))
    except BrokenPipeError:
        # The reader of our output has gone, as `head` does; Python must not complain when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


if __name__ == "__main__":
    if isinstance(sys.stdout, io.TextIOWrapper):
        # The texts of a task need more letters than some terminals' encodings have.
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))
