"""A whole evaluation in small: what three people say at a station, and a run that mishears some of it."""

from scoring.families.specimens import example_rows
from scoring.family import Options, Specimen
from scoring.readers.transcripts import written
from scoring.readers.transcripts.formats import KALDI_SPEAKERS, Format


def example(options: Options) -> dict[str, bytes]:
    """Return a small run in the format that is asked for, with one utterance in which nothing was heard."""
    said = example_rows("transcripts", "upload.csv")
    return written([row["id"] for row in said], [row["text"] for row in said], _format(options["format"]))


def specimen(options: Options) -> Specimen:
    said = example_rows("transcripts", "utterances.csv")
    form = _format(options["gold_format"])
    # Plain lines are known by their numbers.
    ids = [str(k) if form == "lines" else f"{row['speaker']}-{k:03d}" for k, row in enumerate(said, start=1)]
    gold = written(ids, [row["gold"] for row in said], form)
    if options["unit"] == "speaker" and options["speaker"] != "prefix":
        names = (f"{one} {row['speaker']}\n" for one, row in zip(ids, said, strict=True))
        gold[KALDI_SPEAKERS] = "".join(names).encode()
    return Specimen(gold=gold, run=written(ids, [row["run"] for row in said], _format(options["format"])))


def _format(asked: Format | str) -> Format:
    known: dict[str, Format] = {"lines": "lines", "kaldi": "kaldi", "trn": "trn", "jsonl": "jsonl"}
    return known.get(asked, "tsv")
