"""Demonstration data of the transcript task: gold with speakers, the download, fictional runs."""

from demo.plan import System, system_of
from demo.transcripts.calls import calls_of
from demo.transcripts.errors import transcript
from demo.transcripts.systems import PROFILES, Profile

README = """\
Demonstration data: calls on the telephone line of a mountain railway
=====================================================================

This is synthetic data. There is no such railway and nobody recorded anything: a program put the
calls together from templates, and the runs are texts with errors that another program made.
Teams and runs are invented too.

utterances.tsv  the id of each call, and who speaks

In a task with recordings there would be a folder with a sound file for each id. A run is a file
run.tsv with the id, a TAB and the text of each call; an empty text where nothing is heard. Kaldi's
text, sclite's trn and JSON Lines are taken too. Capitals, punctuation and the fillers uh, um and er
do not count; okay is the same as ok, and gonna as going to.
"""

REPLACEMENTS = {"uh": "", "um": "", "er": "", "okay": "ok", "gonna": "going to"}


def gold(phase: str) -> str:
    """Id, text and speaker of each call."""
    lines = [f"{call.id}\t{call.text}\t{call.speaker.name}" for call in calls_of(phase)]
    return "\n".join(["id\ttext\tspeaker", *lines]) + "\n"


def inputs(phase: str) -> dict[str, str]:
    """What a participant downloads beside the recordings that there are not."""
    listed = "".join(f"{call.id}\t{call.speaker.name}\n" for call in calls_of(phase))
    return {"README.txt": README, "utterances.tsv": f"id\tspeaker\n{listed}"}


def systems(phase: str) -> list[System]:
    return [system_of(profile, _run_file(profile, phase)) for profile in PROFILES if phase in profile.phases]


def _run_file(profile: Profile, phase: str) -> str:
    rates = profile.rates
    assert rates is not None
    lines = [f"{call.id}\t{transcript(call, rates, profile.name)}" for call in calls_of(phase)]
    return "\n".join(["id\ttext", *lines]) + "\n"
