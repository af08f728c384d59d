"""Analysis of a text: paragraphs, sentences, speech, and a model's answer."""
