"""What is proposed for the book's memory and waits until the writer takes or leaves it: entries
of the bible, promises and what the chapters do for them."""
