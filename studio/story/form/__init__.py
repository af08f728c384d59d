"""The form of documents: ids, front matter, JSON, schemas, validation."""
