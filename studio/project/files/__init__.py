"""Reading files of a novel and of the writer, with errors that name the place."""
