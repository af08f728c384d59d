"""The book over its chapters: what is remembered, what may be told when, what contradicts it."""
