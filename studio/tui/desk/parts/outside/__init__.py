"""Changes that other programs make to the open novel: noticing, reporting and resolving them."""
