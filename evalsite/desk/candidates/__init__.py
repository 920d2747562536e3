"""The page of one gold: what publishing it would change, and the decision."""
