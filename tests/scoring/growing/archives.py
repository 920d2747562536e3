"""Zip archives: members and their names."""

import io
import random
import zipfile
from collections.abc import Callable, Iterator

from tests.scoring.growing.cases import Case, Files
from tests.scoring.growing.ehealthkd import cases as ehealthkd_cases
from tests.scoring.growing.mat import cases as mat_cases


def cases() -> Iterator[Case]:
    for example in (next(ehealthkd_cases()), next(mat_cases())):
        yield from _of(example)


def _of(example: Case) -> Iterator[Case]:
    def case(name: str, members: Callable[[int], Files], largest: int = 2**18) -> Case:
        return Case(
            example.family,
            "zip",
            name,
            example.gold,
            lambda n: {"run.zip": _zipped({**example.gold, **members(n)})},
            example.options,
            largest,
            is_zip=True,
        )

    shuffled = random.Random(0)
    yield case("empty members", lambda n: {f"x{k}.bin": b"" for k in range(n // 110)})
    yield case("empty members in folders", lambda n: {f"x{k}/y/x.bin": b"" for k in range(n // 120)})
    yield case("hidden members", lambda n: {f".x{k}": b"" for k in range(n // 110)})
    yield case("members that explain", lambda n: {f"{k}/README.md": b"" for k in range(n // 120)})
    yield case("members with long names", lambda n: {f"x{k}{'n' * 60_000}": b"" for k in range(n // 120_000)})
    yield case(
        "members with names of 900 characters", lambda n: {f"x{k}{'n' * 900}.txt": b"" for k in range(n // 2_000)}
    )
    yield case(
        "members whose names are alike",
        lambda n: {
            f"output_a_scenario1{'ab' * 40}{''.join(shuffled.choices('ab', k=40))}.txt": b"" for _ in range(n // 400)
        },
    )
    yield case("a member with a long name", lambda n: {"n" * min(n // 2, 65_000): b""})
    yield case("a member in deep folders", lambda n: {"n/" * min(n // 4, 32_000) + "x": b""})
    yield case("members with control characters", lambda n: {f"x{k}\x01": b"" for k in range(n // 110)})
    yield case("archives inside", lambda n: {f"x{k}.zip": b"" for k in range(n // 110)})
    yield case("archives inside, told by their bytes", lambda n: {f"x{k}": b"PK\x03\x04" for k in range(n // 110)})


def _zipped(files: Files) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return packed.getvalue()
