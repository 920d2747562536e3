"""The formats of documents with span annotations, each read into the same annotations."""
