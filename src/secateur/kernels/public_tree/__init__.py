"""What follows what in the public tree."""
