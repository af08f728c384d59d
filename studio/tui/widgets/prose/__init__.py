"""The parts of the prose view: what streams, is in sight, is selected, is found, and is drawn."""
