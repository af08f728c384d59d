"""The parts of the prose view: streaming, the visible window, selection, search and drawing."""
