"""Verifies an event as a receiver in Python would, with the standard library alone."""

import base64
import hashlib
import hmac
import json
import sys
import time


def verify(headers, body, secret, tolerance=300):
    timestamp = int(headers["webhook-timestamp"])
    if abs(time.time() - timestamp) > tolerance:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    signatures = [part.split(",", 1) for part in headers["webhook-signature"].split(" ")]
    if not any(v == "v1" and hmac.compare_digest(s, expected) for v, s in signatures):
        return False
    timed = hmac.new(key, f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()
    own = [part.split("=", 1) for part in headers["catchment-signature"].split(",")]
    return ("t", str(timestamp)) == tuple(own[0]) and any(
        v == "v1" and hmac.compare_digest(s, timed) for v, s in own[1:]
    )


call = json.load(sys.stdin)
print("verified" if verify(call["headers"], call["body"].encode(), call["secret"]) else "rejected")
