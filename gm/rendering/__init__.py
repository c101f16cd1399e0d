"""Words and pictures made of a stored round."""
