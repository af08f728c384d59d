"""What a language is made of: packs, word lists, names, numbers, speech tags."""
