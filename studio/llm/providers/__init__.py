"""Who can be asked: the vendor's wire, and a model in this process."""
