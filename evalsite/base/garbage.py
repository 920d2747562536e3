"""How seldom a process of the site searches for garbage; standard library only, as it is called before all else."""

import atexit
import gc


def collect_seldom() -> None:
    """Let the collector search once in 50,000 new objects, not in 700.

    Loading the site makes half a million objects that stay, which it would traverse again and again: a sixth of the
    time. A page makes some ten thousand, nearly all of which are freed without it; the search for the few cycles among
    them would cost a tenth of the page.
    """
    gc.set_threshold(50_000, 20, 20)
    # Python searches all of it three more times when it ends, which takes a quarter of a short command.
    atexit.register(gc.freeze)
