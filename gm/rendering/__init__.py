"""Words and pictures made of a stored round. Its door is `reports`."""
