"""A coverage-guided fuzzer over all readers and scorers.

    .venv/bin/python -m tests.fuzz.run --seconds 600

begins with the inputs in `tests/fuzz/seeds` and changes them as long as it is told, towards branches of the engine that
no input has taken yet. It ends with an error at the first input that makes anything but the engine's own errors escape,
takes more than five seconds or more than a GB of memory, and says where it has written that input: put it into
`tests/fuzz/seeds`, where the ordinary tests try it from then on, and mend the engine.
"""

import argparse
import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["scoring"]):
    from tests.fuzz.targets import FAMILIES_LOADED, SEEDS, Uploads

WORDS = Path(__file__).parent / "words.dict"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--found", default=".data/fuzz", help="folder of inputs that were worth keeping")
    parser.add_argument("--seed", type=int, default=0, help="of the chances; 0 for another one each time")
    given = parser.parse_args()
    found = Path(given.found)
    found.mkdir(parents=True, exist_ok=True)
    assert FAMILIES_LOADED
    arguments = [
        sys.argv[0],
        f"-max_total_time={given.seconds}",
        f"-seed={given.seed}",
        "-max_len=8192",
        "-len_control=0",
        "-timeout=5",
        "-rss_limit_mb=1024",
        f"-dict={WORDS}",
        f"-artifact_prefix={found}/defect-",
        "-print_final_stats=1",
        str(found),
        str(SEEDS),
    ]
    atheris.Setup(arguments, Uploads().run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
