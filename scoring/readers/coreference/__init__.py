"""Coreference in JSON, CoNLL-2012 columns and CorefUD: the documents of gold and system, paired by name."""
