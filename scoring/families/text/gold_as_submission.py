"""The first references as a run, to check a new gold: it has to score perfectly against itself."""

import json

from scoring.family import Files, Options
from scoring.readers.text import read_gold


def gold_as_submission(files: Files, options: Options) -> dict[str, bytes]:
    """Every segment with its first reference, by its id."""
    gold = read_gold(files, options)
    pairs = zip(gold.ids, gold.references, strict=True)
    id_, text = options["id_column"], options["text_column"]
    lines = [json.dumps({id_: name, text: references[0]}, ensure_ascii=False) for name, references in pairs]
    return {"run.jsonl": "".join(f"{line}\n" for line in lines).encode()}
