"""Letters of organisers to those who take part."""
