"""The games, what finds and checks them, and what several of them have in common."""
