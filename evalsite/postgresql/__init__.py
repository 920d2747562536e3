"""Django's own backend for PostgreSQL, but for how it finds out whether a connection that stays is alive."""
