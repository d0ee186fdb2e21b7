"""The clients and the command line: what people see and type.

Rule 1: no game is special here; everything is drawn from views and questions.
Rule 2: nothing heavy is imported before it is needed: the first question comes within a second.
"""
