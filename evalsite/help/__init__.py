"""Help: the guides of docs/guides as pages, and what the owner of the site says of it."""
