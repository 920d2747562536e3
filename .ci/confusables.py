"""Writes which signs look like which: `python .ci/confusables.py`, on Debian after `apt install libicu-dev`.

The table is that of Unicode's Technical Standard 39, as the library ICU knows it: for each sign the signs that stand
for all that look alike, its skeleton. No Python package that is kept up gives skeletons without bringing 40 MB or
changing them between releases, and they are stored. Run it again for a newer Unicode; then a migration has to make the
keys of the teams' names anew (evalsite.accounts.names).
"""

import ctypes
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "evalsite/accounts/confusables.txt"
LIBRARY = Path("/usr/lib/x86_64-linux-gnu/libicui18n.so")
UNSEEN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zs", "Zl", "Zp"}
LONGEST = 400  # bytes of one sign's skeleton
HEAD = """\
# What stands for all that look alike, and the signs for which it stands, as numbers of Unicode; made by
# .ci/confusables.py from the data of Unicode Technical Standard 39, in ICU {version}.
# Copyright (c) Unicode, Inc. All rights reserved. https://www.unicode.org/license.txt
"""


def main() -> None:
    version, skeleton = open_icu()
    alike: dict[str, list[str]] = {}
    for sign in composed_signs():
        if (stands_for := skeleton(sign)) != sign:
            alike.setdefault(stands_for, []).append(sign)
    lines = (f"{numbers(stands_for)} = {numbers(signs)}\n" for stands_for, signs in sorted(alike.items()))
    TARGET.write_text(HEAD.format(version=version) + "".join(lines))


def composed_signs() -> Iterator[str]:
    """Those that a name can hold once it is normalised (NFKC), and that no accent is part of."""
    for number in range(0x110000):
        sign = chr(number)
        is_kept = unicodedata.category(sign) not in UNSEEN and unicodedata.normalize("NFKC", sign) == sign
        if is_kept and len(unicodedata.normalize("NFD", sign)) == 1:
            yield sign


def numbers(signs: str | list[str]) -> str:
    return " ".join(f"{ord(sign):04X}" for sign in signs)


def open_icu() -> tuple[str, Callable[[str], str]]:
    """ICU's version, and its function of UTS 39; the names of its functions end in the version."""
    version = LIBRARY.resolve().suffixes[-2].lstrip(".")
    library = ctypes.CDLL(str(LIBRARY))
    status = ctypes.c_int(0)
    open_checker = getattr(library, f"uspoof_open_{version}")
    open_checker.restype = ctypes.c_void_p
    checker = ctypes.c_void_p(open_checker(ctypes.byref(status)))
    get = getattr(library, f"uspoof_getSkeletonUTF8_{version}")

    def skeleton(sign: str) -> str:
        given, found = sign.encode(), ctypes.create_string_buffer(LONGEST)
        length = get(checker, 0, given, len(given), found, LONGEST, ctypes.byref(status))
        assert status.value <= 0, f"ICU's error {status.value}"
        return found.raw[:length].decode()

    return version, skeleton


if __name__ == "__main__":
    main()
