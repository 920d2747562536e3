"""The preview of a task, as a stranger or a participant sees it at a chosen time."""
