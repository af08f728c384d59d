"""Finding and replacing words over the whole book: its prose, its plans and its bible."""
