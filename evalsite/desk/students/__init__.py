"""The page of the desk for a class: the list of students, what they have to reach, and their marks."""
