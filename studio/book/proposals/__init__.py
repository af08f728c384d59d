"""Proposals for the book's memory, which wait until the writer takes or rejects them: entries of
the bible, promises, and events of promises."""
