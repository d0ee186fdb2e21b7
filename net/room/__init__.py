"""The waiting room: the opener's and the guest's, up to the match that begins there."""
