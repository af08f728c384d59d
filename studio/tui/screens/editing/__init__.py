"""What supports the text of the editor: searching and jumping in it, and the day's word count."""
