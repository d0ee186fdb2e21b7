"""The screens of the full-screen client, one module each; `cli.app` shows one at a time."""
