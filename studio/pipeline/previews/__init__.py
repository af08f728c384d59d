"""Prompts before they are sent, and what they say otherwise than the last ones."""
