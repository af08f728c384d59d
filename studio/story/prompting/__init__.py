"""What the writer says of what a model is told."""
