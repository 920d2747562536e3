"""Times as the admin writes them; Django's own for Spanish have neither seconds nor zone."""

DATETIME_FORMAT = "j b Y, H:i:s e"
