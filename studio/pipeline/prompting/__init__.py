"""From what the novel knows to a prompt, and from its stream to prose."""
