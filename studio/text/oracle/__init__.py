"""From metrics to proposals about passages."""
