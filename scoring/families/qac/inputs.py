"""What participants are given, the questions: to make a sample of an upload, and to tell which input an upload is for.

Nothing here looks at answers of the gold.
"""

from scoring.family import Files, Options, Side
from scoring.readers.qac import read_answer_set, read_run


def sample(gold: Files, options: Options) -> dict[str, bytes]:
    """An upload that is valid for this gold: the same words in answer to every question."""
    lines = [f'{question}: "an answer", 0\n' for question in read_answer_set(gold, options["gold_encoding"]).ids]
    return {"run.txt": "".join(lines).encode(options["encoding"])}


def input_keys(files: Files, options: Options, side: Side) -> set[str]:
    """The IDs of the questions."""
    if side == "gold":
        return set(read_answer_set(files, options["gold_encoding"]).ids)
    return set(read_run(files, options["encoding"]).ids)
