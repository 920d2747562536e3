"""Keeps a site running: health checks, tidying, backup and restore."""
