"""Finding tables: what a network says of them, and what they answer themselves.

Rule 1: it stands above the room, since a listing is written from one.
"""
