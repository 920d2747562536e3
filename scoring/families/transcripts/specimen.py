"""A whole evaluation in small: what three people say at a station, and a run that mishears some of it."""

from scoring.family import Options, Specimen
from scoring.readers.transcripts import written
from scoring.readers.transcripts.formats import KALDI_SPEAKERS, Format

# Speaker, what is said, and what the run heard.
_SAID = """\
anna | The train to Harl leaves at four o'clock. | the train to hall leaves at four o'clock
anna | From which platform? | from which platform
anna | Thank you, I'm going to run! | thank you i am going to run
bob | Platform nine, change at Brennick. | platform nine change at the rennick
bob | Mind the gap, please. | mind gap please
bob | Uh, hold on. | hold on
cleo | Is this seat taken? | is this seat taken
cleo | We'll be in Harl by half past six. | we'll be in harl by half past six
cleo | It's raining again. | it's training again
"""


def specimen(options: Options) -> Specimen:
    said = [line.split(" | ") for line in _SAID.splitlines()]
    speakers = [line[0] for line in said]
    form = _format(options["gold_format"])
    numbered = enumerate(speakers, start=1)
    # Plain lines are known by their numbers.
    ids = [str(number) if form == "lines" else f"{name}-{number:03d}" for number, name in numbered]
    gold = written(ids, [line[1] for line in said], form)
    if options["unit"] == "speaker" and options["speaker"] != "prefix":
        gold[KALDI_SPEAKERS] = "".join(f"{one} {name}\n" for one, name in zip(ids, speakers, strict=True)).encode()
    return Specimen(gold=gold, run=written(ids, [line[2] for line in said], _format(options["format"])))


def _format(asked: Format | str) -> Format:
    known: dict[str, Format] = {"lines": "lines", "kaldi": "kaldi", "trn": "trn", "jsonl": "jsonl"}
    return known.get(asked, "tsv")
