"""This package holds what the pages of units share: lists of units, texts with marks, and trees."""
