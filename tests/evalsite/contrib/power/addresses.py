"""Who may see how large a test has to be."""

from tests.evalsite.access.rows import LOOKING, Row, lookers

TABLE = {"board_size": Row(LOOKING, lookers(422))}  # a calculation; nothing is changed
