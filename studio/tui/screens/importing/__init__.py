"""Importing a text: the chapters that were read, and the files they come from."""
