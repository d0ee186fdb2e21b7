"""The group, the one proof and the proof of a shuffle: arithmetic that knows no seat and no table.

Rule 1: from the rest of the core it takes bytes that mean one thing (`encoding`), nothing else.
"""
