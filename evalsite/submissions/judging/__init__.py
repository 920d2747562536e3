"""Runs that are judged elsewhere: which wait, and the scores that a judge posts for them."""
