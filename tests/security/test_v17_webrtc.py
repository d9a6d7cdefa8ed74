"""V17: WebRTC."""

_NUMBERS = ("V17.1.1", "V17.2.1", "V17.2.2", "V17.2.3", "V17.2.4", "V17.3.1", "V17.3.2")
DOES_NOT_APPLY = dict.fromkeys(
    _NUMBERS, "No sound, no picture of people, no peers: pages have a WebSocket and nothing else."
)
