"""Who may follow a task's announcements."""

from tests.evalsite.access.rows import EVERYBODY, Row

TABLE = {"task_news": Row(EVERYBODY)}
