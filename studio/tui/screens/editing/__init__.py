"""What works beside the text of the editor: finding and jumping in it, counting the day."""
