"""The checks of `studio doctor`: the machine, the novel, and the capabilities of a model."""
