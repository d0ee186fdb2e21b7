"""The commands of `sobremesa`, a file for each or for each family; `cli.main` reads which."""
