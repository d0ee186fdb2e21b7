"""A session at one table, alone or on the network, as any client lives it; it draws nothing."""
