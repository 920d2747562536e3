"""A task as a class: a list of students, what they have to reach, and their marks."""
