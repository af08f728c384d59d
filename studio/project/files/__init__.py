"""Reads files of the novel and of the writer, with errors that name the place."""
