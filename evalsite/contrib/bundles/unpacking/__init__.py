"""Opens bundles in a child process with limits: whatever reads bytes of a stranger's archive is in this folder."""
