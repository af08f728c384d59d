"""From numbers to proposals about passages."""
