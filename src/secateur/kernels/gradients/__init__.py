"""Methods that follow gradients: the excessive gap technique and mirror descent."""
