"""Whether everything in a novel fits together, and mending what does not."""
