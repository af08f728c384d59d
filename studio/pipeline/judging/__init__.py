"""What code measures and a judge says, made true to the text."""
