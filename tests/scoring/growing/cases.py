"""Makes what a stranger can make long in an upload: one generator for each way, by family and format."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

Files = dict[str, bytes]

# Text that is much longer than anybody writes, by what it repeats; each is put wherever a format has text.
RUNS: dict[str, Callable[[int], str]] = {
    "letters": lambda n: "a" * n,
    "combining marks": lambda n: "a" + "\u0301" * (n // 4) + "\u0316" * (n // 4),
    "digits": lambda n: "1" * n,
    "opening brackets": lambda n: "(" * n,
    "closing brackets": lambda n: ")" * n,
    "brackets": lambda n: "(1)" * (n // 3),
    "square brackets": lambda n: "[" * n,
    "braces": lambda n: '{"a":' * (n // 5),
    "double quotes": lambda n: '"' * n,
    "curly quotes": lambda n: "\u201c" * (n // 3),
    "apostrophes": lambda n: "'" * n,
    "backslashes": lambda n: "\\" * n,
    "blanks": lambda n: " " * n + "x",
    "wide blanks": lambda n: "\u3000" * (n // 3) + "x",
    "tabs": lambda n: "\t" * n,
    "commas": lambda n: "," * n,
    "semicolons": lambda n: "1 2;" * (n // 4),
    "hyphens": lambda n: "a-" * (n // 2),
    "bars": lambda n: "Entity=(e1|" * (n // 11),
    "slashes": lambda n: "/" * n,
    "angle brackets": lambda n: "<a " * (n // 3),
    "ampersands": lambda n: "&" * n,
    "escapes of surrogates": lambda n: "\\ud800" * (n // 6),
    "carriage returns": lambda n: "\r" * n,
    "NUL characters": lambda n: "\0" * n,
}
# Whole files of nothing else.
FILES: dict[str, Callable[[int], bytes]] = {
    **{f"a file of {name}": (lambda n, run=run: run(n).encode()) for name, run in RUNS.items()},
    "blank lines": lambda n: b"\n" * n,
    "line ends as escapes on a line": lambda n: b"\\n" * (n // 2) + b"\nx\n",
    "lines of one letter": lambda n: b"a\n" * (n // 2),
    "lines of one column": lambda n: b"a b c\n" * (n // 6),
    "lines of marks": lambda n: b"#\n" * (n // 2),
    "lines of a bracket": lambda n: b"[\n" * (n // 2),
    "lines of an object": lambda n: b"{}\n" * (n // 3),
    "lines of tabs": lambda n: b"\t\t\t\n" * (n // 4),
    "lines of ten columns": lambda n: b"1\t_\t_\t_\t_\t_\t_\t_\t_\t_\n" * (n // 21),
    "lines that are not UTF-8": lambda n: b"\xff\n" * (n // 2),
    "a list of numbers": lambda n: b"[" + b"1," * (n // 2) + b"1]",
    "a list of lists": lambda n: b"[" + b"[]," * (n // 3) + b"[]]",
    "lists inside each other": lambda n: b"[" * (n // 2) + b"]" * (n // 2),
    "objects inside each other": lambda n: b'{"a":' * (n // 6) + b"1" + b"}" * (n // 6),
    "a number of many digits": lambda n: b"[" + b"7" * n + b"]",
    "equal keys": lambda n: b"{" + b'"a":1,' * (n // 6) + b'"a":1}',
}
# hash() of a number is its remainder by this prime, so that its multiples meet in one place of a dictionary.
COLLIDING = 2**61 - 1


@dataclass(frozen=True)
class Case:
    """Inputs of any length that differ in their length alone."""

    family: str
    form: str  # the format, or the scenario, as the options call it
    name: str
    gold: Files
    make: Callable[[int], Files]  # the system's files, of about so many bytes in all
    options: dict[str, Any] = field(default_factory=dict)
    largest: int = 2**18  # bytes; what runs on in one place shows its growth at less
    is_zip: bool = False

    @property
    def key(self) -> tuple[str, str]:
        return self.family, self.form

    def __str__(self) -> str:
        return f"{self.family} {self.form}: {self.name}"


def text_cases(
    family: str, form: str, gold: Files, fields: dict[str, Callable[[str], Files]], options: dict[str, Any]
) -> Iterator[Case]:
    """Every run in every field; `fields` has for each what the files are with a text in it."""
    for field_name, files_with in fields.items():
        for run_name, run in RUNS.items():
            yield Case(
                family,
                form,
                f"{run_name} as {field_name}",
                gold,
                lambda n, files_with=files_with, run=run: files_with(run(n)),
                options,
                largest=2**15,
            )


def file_cases(family: str, form: str, gold: Files, names: list[str], options: dict[str, Any]) -> Iterator[Case]:
    """Every file of nothing but one thing, in the place of each file of the system."""
    for file_name, make in FILES.items():
        for name in names:
            others = {each: gold.get(each, b"") for each in names if each != name}
            yield Case(
                family,
                form,
                f"{file_name} as {name}",
                gold,
                lambda n, name=name, make=make, others=others: {**others, name: make(n)},
                options,
                largest=2**16,
            )
