"""Backups: the database first and its files afterwards, while the site runs; checked, and restored elsewhere."""
