"""`python -m scoring`, or `evalsite`: hands over to the command of a reproduced system, or else to `scoring/cli.py`.

This is the one place where the first argument is looked at, and that happens before anything large is imported.
"""

import atexit
import gc
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from scoring import commands, lazy
from scoring.display.terminal import DONE

# The matrix products of a resampling are small: several threads mostly wait for each other. NumPy reads this variable
# when it is loaded, so it is set before.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main(argv: Sequence[str]) -> int:
    """Return the exit status of the command that the arguments name."""
    try:
        if argv and argv[0] in commands.names():
            return commands.run(argv)
        return int(lazy.load("scoring.cli.main", "main")(argv))
    except BrokenPipeError:
        # The reader of our output has gone, as `head` does; Python must not complain when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE


def run() -> NoReturn:
    """Run the console command `evalsite` of the installed package, and `python -m scoring`."""
    # What a command loads stays until it ends, and hardly anything it makes is a cycle.
    gc.set_threshold(50_000, 20, 20)
    atexit.register(gc.freeze)  # nor is it searched once more at the end
    if isinstance(sys.stdout, io.TextIOWrapper):
        # The texts of a task need more letters than some terminals' encodings have.
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))


if __name__ == "__main__":
    run()
