"""Writes the lock files: every package in one version, with the hashes of its files for all platforms and Pythons.

Run it after a change of requirements*.txt: `python .ci/lock.py`, or with `--upgrade` for the newest versions of what
these do not pin. A lock file includes the one that its requirements include, and holds what it adds to it.
"""

import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOL = "uv==0.13.9"
OLDEST_PYTHON = "3.11"
# The tools of development first: what is locked for them holds for the others too.
NAMES = ["requirements-dev", "requirements-production", "requirements"]
HEAD = "# Made by .ci/lock.py from {name}.txt: all packages, with the hashes of their files. Not to be edited.\n"


def main(options: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        subprocess.run([f"{folder}/bin/pip", "install", "--quiet", TOOL], check=True)
        whole = Path(folder, "whole.txt")
        compiled: dict[str, str] = {}
        for name in NAMES:
            constraint = ["--constraint", str(whole)] if compiled else []
            compiled[name] = compile_lock(f"{folder}/bin/uv", name, [*constraint, *options])
            if not constraint:
                whole.write_text(compiled[name])
    for name, included in zip(NAMES, [*NAMES[1:], None], strict=True):
        entries = packages(compiled[name])
        below = packages(compiled[included]) if included else set()
        # A marker may differ: what the site needs on one platform, a tool may need on all.
        assert versions(below) <= versions(entries), (
            f"{included} is locked in other versions than {name}: run it again with --upgrade"
        )
        include = f"-r {included}-lock.txt\n" if included else ""
        (ROOT / f"{name}-lock.txt").write_text(HEAD.format(name=name) + include + "".join(sorted(entries - below)))


def compile_lock(uv: str, name: str, options: list[str]) -> str:
    """Without addresses of the registry, which each machine has its own of."""
    command = [uv, "pip", "compile", "--quiet", "--universal", "--python-version", OLDEST_PYTHON]
    shape = ["--generate-hashes", "--no-annotate", "--no-header", "--no-emit-index-url"]
    done = subprocess.run(
        [*command, *shape, *options, f"{name}.txt"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout


def packages(lock: str) -> set[str]:
    """The entries, each a package with its hashes on lines of their own."""
    return {entry.rstrip("\n") + "\n" for entry in re.split(r"^(?=\w)", lock, flags=re.MULTILINE) if entry}


def versions(entries: set[str]) -> set[str]:
    return {entry.split()[0] for entry in entries}


if __name__ == "__main__":
    main(sys.argv[1:])
