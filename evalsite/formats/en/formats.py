"""Times as the admin writes them; Django's own for English have neither seconds nor zone."""

DATETIME_FORMAT = "j M Y, H:i:s e"
