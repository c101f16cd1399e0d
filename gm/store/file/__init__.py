"""The file that holds all tables: its schema through all versions, its damage, its copies."""
