"""An upload comes in: quota, files kept for later, admission, and the pipeline of these."""
