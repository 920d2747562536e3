"""A whole evaluation in small: what three people say at a station, and a run that mishears some of it."""

from scoring.families.specimens import example_rows
from scoring.family import Options, Specimen
from scoring.readers.transcripts import written
from scoring.readers.transcripts.formats import KALDI_SPEAKERS, Format


def example(options: Options) -> dict[str, bytes]:
    """Return a small run in the format that is asked for, with one utterance in which nothing was heard."""
    rows = example_rows("transcripts", "upload.csv")
    return written([row["id"] for row in rows], [row["text"] for row in rows], _format(options["format"]))


def specimen(options: Options) -> Specimen:
    rows = example_rows("transcripts", "utterances.csv")
    form = _format(options["gold_format"])
    # Plain lines are known by their numbers.
    ids = [str(k) if form == "lines" else f"{row['speaker']}-{k:03d}" for k, row in enumerate(rows, start=1)]
    gold = written(ids, [row["gold"] for row in rows], form)
    if options["unit"] == "speaker" and options["speaker"] != "prefix":
        names = (f"{one} {row['speaker']}\n" for one, row in zip(ids, rows, strict=True))
        gold[KALDI_SPEAKERS] = "".join(names).encode()
    return Specimen(gold=gold, run=written(ids, [row["run"] for row in rows], _format(options["format"])))


def _format(asked: Format | str) -> Format:
    formats: dict[str, Format] = {"lines": "lines", "kaldi": "kaldi", "trn": "trn", "jsonl": "jsonl"}
    return formats.get(asked, "tsv")
