"""The site's side of the command `evalsite`: logging in, uploading, and reading boards, by the site's API.

The engine itself knows nothing of it: files in, numbers out, with or without a site.
"""
