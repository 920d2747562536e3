"""What a run would score, and where it would stand, without being uploaded, in a phase whose gold is open."""
