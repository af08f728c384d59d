"""The life of a book above the chapter: long runs, briefs, volumes, characters who leave the
story."""
