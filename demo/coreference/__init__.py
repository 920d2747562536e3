"""Demonstration data of the coreference task, as CoNLL-2012 columns: gold, the download, fictional runs."""

from demo.coreference.baseline import look_up
from demo.coreference.conll import Chains, gold_chains, write
from demo.coreference.documents import Document, documents_of
from demo.coreference.errors import run
from demo.coreference.systems import PROFILES, Profile
from demo.plan import System, system_of

README = """\
Demonstration data: who is who in the reports of a town court
=============================================================

This is synthetic data. A program wrote every report from sentences and word lists, for this
demonstration only. The town, its court, its people and their quarrels do not exist. The
annotation comes out of the same sentences; nobody checked it by hand. Teams and runs are
invented too.

One file in the columns of CoNLL-2012, with the columns document, part, word number, word and
coreference. A run is the same file with the last column filled in:

  report-001   0   0   Hob        (0
  report-001   0   1   Underhay   0)
  report-001   0   2   lost       -
  report-001   0   3   his        (1|(0)
  report-001   0   4   hat        1)

A mention is a name, a description or a pronoun that means a person, a group, an animal, a
thing or a place. It holds an apposition and what follows with "of" or "from", but no clause:
[a green coat] that [Sedge] bought. Possessive pronouns are mentions of their own. Days, years,
sums and such things as a quarrel or a sale are none. Whoever is mentioned once is an entity
of one mention. A group made up of two people mentioned apart ("neither of the two") is not
marked.

Scenario 1 scores all entities, scenario 2 drops those of one mention on both sides.
"""


def gold(phase: str) -> str:
    return "".join(write(document, gold_chains(document)) for document in documents_of(phase))


def inputs(phase: str) -> dict[str, str]:
    """What a participant downloads: the reports with an empty last column, and the README."""
    empty = "".join(write(document, {}) for document in documents_of(phase))
    return {"README.txt": README, f"{phase}.conll": empty}


def systems(phase: str) -> list[System]:
    return [
        system_of(profile, "".join(write(document, _answers(profile, document)) for document in documents_of(phase)))
        for profile in PROFILES
        if phase in profile.phases
    ]


def _answers(profile: Profile, document: Document) -> Chains:
    if profile.rates is None:
        return look_up(document)
    return run(document, profile.rates, profile.name)
