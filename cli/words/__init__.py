"""What is typed and what is said, as text: read, completed, spoken. The same in both clients."""
