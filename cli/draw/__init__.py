"""Values as lines of styled text: pure, for a width and a height; nothing asks the terminal."""
