"""The clients and the command line: what people see and type.

Rule 1: no game is special here; everything is drawn from views and questions.
Rule 2: nothing heavy is imported before it is needed: the first question comes within a second.
Rule 3: rooms know what lies below: main; commands; screen and lines, which do not know each other;
draw; words; session. Only `screen` knows prompt_toolkit.
"""
