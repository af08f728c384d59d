"""What code measures and what a judge says, reconciled with the text."""
