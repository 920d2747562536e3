"""Demonstration data of the search task: judgements, what participants get, fictional runs."""

from demo.plan import System, system_of
from demo.qac.articles import articles
from demo.ranking.systems import PROFILES, Profile, ranked
from demo.ranking.topics import topics

README = """\
Demonstration data: search in the encyclopaedia of a country that does not exist
================================================================================

This is synthetic data. Country, towns, people, books and animals are invented, a program put
the articles and the topics together and judged them by what it knows; nobody read them. Do
not learn any of it. Teams and runs are invented too.

articles/SE0104.txt  one article: its title, an empty line, its text; the name is its ID
topics.tsv           ID and topic, with a TAB between

A run is a text file with a line for each article of each topic, at most fifty of a topic:

  AR301 Q0 SE0377 1 3.0275 my-run
  AR301 Q0 SE0104 2 2.9001 my-run
"""


def gold(phase: str) -> str:
    lines = [
        f"{topic.id} 0 {article} {grade}\n"
        for topic in topics(phase)
        for article, grade in sorted(topic.grades.items())
    ]
    return "".join(lines)


def inputs(phase: str) -> dict[str, str]:
    """What a participant downloads: the articles, the topics and the README."""
    files = {f"articles/{article.id}.txt": f"{article.title}\n\n{article.text}\n" for article in articles()}
    asked = "".join(f"{topic.id}\t{topic.text}\n" for topic in topics(phase))
    return {"README.txt": README, "topics.tsv": asked, **files}


def systems(phase: str) -> list[System]:
    return [system_of(profile, _run_file(profile, phase)) for profile in PROFILES if phase in profile.phases]


def _run_file(profile: Profile, phase: str) -> str:
    assert profile.rates is not None
    tag = f"{profile.team} {profile.run}".lower().replace(" & ", "-").replace(" ", "-")
    lines = [
        f"{topic.id} Q0 {article} {rank} {score} {tag}\n"
        for topic in topics(phase)
        for rank, (article, score) in enumerate(ranked(topic, profile.rates, profile.name), start=1)
    ]
    return "".join(lines)
