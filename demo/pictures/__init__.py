"""The pictures of the guides, made from the demo with headless Chromium: python -m demo.pictures."""
