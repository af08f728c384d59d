"""The chapter transaction: planned, carried out whole or not at all, rolled forward."""
