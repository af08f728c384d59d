"""Forms as pure values: their fields, and the conversion between plans and what was typed."""
