"""Links: frames on TLS between two peers that have proved who they are, and the way to one.

Rule 1: addresses stand here, since a link is dialled at one; finding tables builds on links, as a
table is listed only after it has answered over one.
"""
