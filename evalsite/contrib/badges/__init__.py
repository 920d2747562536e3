"""Badges and small tables of boards that other sites show: what the tests allow to say, as strangers see it."""
