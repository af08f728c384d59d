"""What other programs do to the novel while it is open: noticed, said, and settled."""
