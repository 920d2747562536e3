"""Several systems on the same gold: which differences are real, and which ranks they leave open."""
