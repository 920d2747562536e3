"""The eHealth-KD 2018 and 2019 files: sentences, key phrases and relations of a scenario."""

from scoring.readers.ehealthkd_text.columns import Phrases, Relations
from scoring.readers.ehealthkd_text.layout import FOLDERS, scenarios
from scoring.readers.ehealthkd_text.sentences import Sentences, fold
from scoring.readers.ehealthkd_text.sides import Gold, System, read_gold, read_system

__all__ = [
    "FOLDERS",
    "Gold",
    "Phrases",
    "Relations",
    "Sentences",
    "System",
    "fold",
    "read_gold",
    "read_system",
    "scenarios",
]
