"""The full-screen client on prompt_toolkit: the app, and a module for each of its screens."""
