"""What an organiser can choose: the scenario, the rules of a partial match, and the tables of single items."""

from functools import partial

from scoring.family import Option, choose

OPTIONS = (
    Option(
        "scenario",
        1,
        (1, 2, 3),
        "1 phrases and relations, 2 phrases alone, 3 relations alone",
        title="What is to be found",
    ),
    # The published page asks for equal labels in a partial match; the program that made the official ranking
    # does not look at them. The program's rule is the default, because its numbers are the published ones.
    Option(
        "rules",
        "2019",
        ("2019", "documented"),
        "2019: as the challenge's program runs; documented: a partial match needs the same label",
        title="Partial matches",
    ),
    Option(
        "details",
        False,
        (False, True),
        "add the tables of phrases and relations",
        changes_scores=False,
        title="Tables of single phrases and relations",
        is_advanced=True,
    ),
)

configure = partial(choose, OPTIONS)
