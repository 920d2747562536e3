"""Texts and ids as people and programs spell them."""
