"""Keeping a site: looking whether all is well, tidying, backup and restore."""
