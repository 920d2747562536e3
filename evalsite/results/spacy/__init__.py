"""The page of a document of annotated text: its layers of spans, and its sentences with trees."""
