"""Who may see the history of a board."""

from tests.evalsite.access.rows import EVERYBODY, Row

TABLE = {"board_history": Row(EVERYBODY)}
