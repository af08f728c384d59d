"""A book's life above the chapter: long runs, briefs, volumes, who leaves the story."""
