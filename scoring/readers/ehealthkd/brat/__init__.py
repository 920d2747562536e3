"""Pairs of files as brat has them, of 2020 and 2021."""
