"""The core: games as scripts, and the table at which peers play them without trusting anybody.

Rule 1: no socket, no clock, no file, no `random`; bytes and answers come in, bytes and events go
out. A test holds this.
Rule 2: it imports nothing from the other layers.
"""
