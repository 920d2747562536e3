"""Letters of organisers, and notices, to those who take part: each to one reader, who can switch its kind off."""
