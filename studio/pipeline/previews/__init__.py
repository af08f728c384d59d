"""Previews of prompts before they are sent, and their differences from the last ones."""
