"""Who may have the archive and the static pages of a task made."""

from tests.evalsite.access.rows import LOOKING, Row, lookers, owners

TABLE = {
    "desk_ending_archive": Row(lookers(302), owners(302)),
    "desk_ending_archive_job": Row(LOOKING),
    "desk_ending_archive_file": Row(lookers(404)),
    "desk_ending_archive_pages": Row(lookers(404)),
}

PARTS = {"desk_ending_archive_job": {"name": lambda world: "pages"}}

# As in tests/evalsite/test_printed_commands.py.
TYPED_BY = {
    "evalsite verify": "tests/evalsite/contrib/archives/test_archive.py::"
    "test_all_figures_of_an_archive_are_computed_again_and_none_differs",
}
