"""From what the novel knows to a prompt, and from the answer's stream to prose."""
