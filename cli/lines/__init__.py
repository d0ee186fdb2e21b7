"""Line mode: sentences out, typed lines in, nothing drawn; and what the commands print."""
