"""Several systems on the same gold: which differences are real, and the places that they allow."""
