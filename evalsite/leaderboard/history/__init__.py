"""The page that shows how the best score of a board grew."""
