"""A mail from queued to delivered. Whoever acts on a game queues; `gm.service` writes and sends."""
