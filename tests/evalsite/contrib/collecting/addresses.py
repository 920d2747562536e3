"""Who may do what with runs that are collected before there is gold."""

from tests.evalsite.access.rows import LOOKING, NO, Row, lookers, organisers

TABLE = {
    "desk_gold_collect": Row(LOOKING, organisers(200)),
    "desk_gold_collect_tell": Row(NO, organisers(302)),
    "desk_gold_collect_make": Row(NO, organisers(404)),  # the task's answers are no pairs of item and answer
    "desk_gold_collect_pool": Row(lookers(404)),
}
