"""A letter from queued to delivered. Its door is `queue`: who acts on a game queues, the worker
writes and sends.
"""
