"""The network: finding tables, links between peers, and what a peer keeps on its disk.

Rule 1: what can be decided without a socket is decided in plain objects that are given the time;
asyncio stands beside them and only carries.
Rule 2: whatever comes from outside is checked where it enters, and its text is cleaned there.
Rule 3: it imports the core and nothing else of this program.
Rule 4: imports point down: identity, tasks, text, chat; store; links; mesh and match; room;
finding; node.
"""
