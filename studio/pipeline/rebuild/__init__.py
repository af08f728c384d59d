"""What follows for the book from chapters that were changed by hand."""
