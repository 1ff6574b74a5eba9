"""What all kernels are made of: the walk, its pieces, and the measures of strategies."""
