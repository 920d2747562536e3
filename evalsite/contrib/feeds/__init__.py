"""Feeds: the announcements of a task for feed readers."""
