"""The eHealth-KD files of 2019 to 2021: sentences, key phrases and relations of a scenario."""

from scoring.readers.ehealthkd.brat.layout import FOLDERS as FOLDERS_OF_PAIRS
from scoring.readers.ehealthkd.columns import Phrases, Relations
from scoring.readers.ehealthkd.editions import PAIRED, names, read_gold, read_system, scenarios
from scoring.readers.ehealthkd.layout import FOLDERS
from scoring.readers.ehealthkd.sentences import Sentences, fold
from scoring.readers.ehealthkd.sides import Gold, System

__all__ = [
    "FOLDERS",
    "FOLDERS_OF_PAIRS",
    "PAIRED",
    "Gold",
    "Phrases",
    "Relations",
    "Sentences",
    "System",
    "fold",
    "names",
    "read_gold",
    "read_system",
    "scenarios",
]
