"""The database file as a whole: its schema, its damage, its copies."""
