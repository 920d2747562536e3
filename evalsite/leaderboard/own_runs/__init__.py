"""What a team reads of its own run: where it stands, how far it came, what changed since the run before."""
