"""This package holds what the pages of a board share, its ranked page, and its downloads."""
