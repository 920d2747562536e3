"""Who may read the record of an entry."""

from tests.evalsite.access.rows import NOBODY, Row

TABLE = {"entry_record": Row(NOBODY)}  # the results are not released
