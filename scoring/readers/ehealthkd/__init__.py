"""The eHealth-KD 2018 and 2019 files: sentences, key phrases and relations of a scenario."""

from scoring.readers.ehealthkd.columns import Phrases, Relations
from scoring.readers.ehealthkd.gold_texts import differing_texts
from scoring.readers.ehealthkd.layout import FOLDERS, names, scenarios
from scoring.readers.ehealthkd.sentences import Sentences, fold
from scoring.readers.ehealthkd.sides import Gold, System, read_gold, read_system

__all__ = [
    "FOLDERS",
    "Gold",
    "Phrases",
    "Relations",
    "Sentences",
    "System",
    "differing_texts",
    "fold",
    "names",
    "read_gold",
    "read_system",
    "scenarios",
]
