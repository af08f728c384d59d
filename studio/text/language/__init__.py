"""Knowledge of the languages: packs, word lists, names, numbers, speech tags."""
