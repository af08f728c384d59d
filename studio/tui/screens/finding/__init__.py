"""What the page on which words are found and replaced is made of."""
