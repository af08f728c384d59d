"""The parts of the page that finds and replaces words."""
