"""The look-ups that agents may use while they work, and the hooks of plugins."""
