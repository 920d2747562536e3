"""Rows of a board that was elsewhere: the page that brings them from CSV, and removes them."""
