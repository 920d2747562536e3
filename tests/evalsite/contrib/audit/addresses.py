"""Who may have a table audited."""

from tests.evalsite.access.rows import EVERYBODY, Row, everybody

TABLE = {"audit": Row(EVERYBODY, everybody(422))}

# As in tests/evalsite/test_printed_commands.py.
TYPED_BY = {
    "contrib/audit/_board.html": "tests/evalsite/contrib/audit/test_audit.py::"
    "test_the_command_on_the_page_makes_the_same_board_again",
}
