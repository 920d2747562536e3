"""This package holds what the page of a run shows: its scores, charts, tables, notices, and their words."""
