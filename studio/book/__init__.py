"""The book across chapters: what is remembered, what may be revealed when, what contradicts it."""
