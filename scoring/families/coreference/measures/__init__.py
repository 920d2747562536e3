"""The measures of coreference, each made from the overlap of the entities of both sides."""
