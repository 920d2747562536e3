"""Receipts of uploads: what the site confirms of each, as one chain that anybody can check."""
