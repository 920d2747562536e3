"""This package has a module for each page beside the ranked one, and for what other apps show of boards."""
