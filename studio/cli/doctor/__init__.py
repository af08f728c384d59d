"""What `studio doctor` looks at: the machine, the novel, and what a model can do."""
