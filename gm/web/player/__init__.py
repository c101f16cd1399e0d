"""The pages behind a personal link, and the way to one."""
