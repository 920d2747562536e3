"""Logging in through ORCID, GitHub or an OpenID provider, by allauth's own providers, with what these leave open."""
