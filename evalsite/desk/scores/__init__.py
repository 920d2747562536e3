"""Scores made elsewhere: the organisers' import of one table with the scores of all runs."""
