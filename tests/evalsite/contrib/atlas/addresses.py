"""Who may see the error atlas."""

from tests.evalsite.access.rows import LOOKING_OPENLY, Row

TABLE = {"board_atlas": Row(LOOKING_OPENLY)}
