"""How phrases and relations of the system meet those of the gold, by the rules of 2019 to 2021."""
