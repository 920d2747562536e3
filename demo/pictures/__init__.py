"""Makes the pictures of the guides from the demo with headless Chromium: python -m demo.pictures."""
