"""The chapter transaction: planned, carried out completely or not at all, and rolled forward."""
