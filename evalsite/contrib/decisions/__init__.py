"""The decisions of a task, as everybody may read them."""
