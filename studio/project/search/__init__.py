"""Finds and replaces words over the whole book: its prose, its plans and its bible."""
