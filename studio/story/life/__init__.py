"""How a book lives: its states, and how far its beginning has come."""
