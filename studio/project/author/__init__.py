"""What the author brings: her own text, imports, her style library."""
