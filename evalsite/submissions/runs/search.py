"""Finds submissions among a million: by words of their method and team, or by the code of a scoring."""

import re
from uuid import UUID

from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Concat
from django.utils.text import smart_split, unescape_string_literal

from evalsite.accounts.models import Team
from evalsite.submissions.models import Scoring, Submission

MOST_TEAMS = 1_000  # whose keys a query names
IN_INDEX = re.compile(r"\w{3}")  # the index of methods needs three letters or digits in a row
CODE = re.compile(r"[0-9a-f]{8}", re.IGNORECASE)


def search(submissions: QuerySet[Submission], text: str) -> QuerySet[Submission]:
    """Return the submissions with every word of the text in the name of their method or of their team.

    Eight hexadecimal digits, as participants quote the code of a scoring, or a whole key are looked up first.
    """
    if CODE.fullmatch(text.strip()[:8]) and (of_code := _of_code(text.strip())):
        return submissions.filter(pk__in=of_code)
    submissions = submissions.alias(method_unindexed=Concat("method", Value("")))
    for word in smart_split(text):
        submissions = submissions.filter(_matching(_unquoted(word)))
    return submissions


def _of_code(text: str) -> list[UUID]:
    """Return the submissions with a scoring whose key begins so; a range of keys, which the index of keys has."""
    digits = re.sub("-", "", text).lower()
    try:
        first, last = UUID(digits.ljust(32, "0")), UUID(digits.ljust(32, "f"))
    except ValueError:
        return []
    return list(Scoring.objects.filter(pk__range=(first, last)).values_list("submission", flat=True)[:MOST_TEAMS])


def _matching(word: str) -> Q:
    """Match the word; with the keys of the teams, not a join, the indexes of methods and teams work together."""
    teams = Team.objects.filter(name__icontains=word).order_by()
    keys = list(teams.values_list("pk", flat=True)[: MOST_TEAMS + 1])
    # For a shorter word the index would list all runs, which takes longer than to scan some of them.
    methods = Q(method__icontains=word) if IN_INDEX.search(word) else Q(method_unindexed__icontains=word)
    return methods | (Q(team__in=keys) if len(keys) <= MOST_TEAMS else Q(team__in=teams))


def _unquoted(word: str) -> str:
    """Return a word, or several words between quotation marks."""
    is_quoted = word[0] in "\"'" and word[0] == word[-1]
    return unescape_string_literal(word) if is_quoted else word
