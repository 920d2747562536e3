"""The pages of the desk about what a task says: its texts, pages, pictures and downloads."""
