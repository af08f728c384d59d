"""A text taken apart: paragraphs, sentences, speech, and a model's answer."""
