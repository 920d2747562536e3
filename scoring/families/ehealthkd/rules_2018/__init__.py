"""The rules of 2018, whose phrases, labels and relations are three tables."""
