"""Third-party code: the hooks it may implement, and the process it runs in (C3)."""
