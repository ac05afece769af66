"""The protocol of `rdma-conform --adapter stdio:COMMAND`, for a device on virtual time. Python's standard library is all it takes.

A device is an object with a method per call. `serve` reads calls from stdin, one JSON object a line, and answers each on stdout:

    {"id": 7, "call": "alloc_pd", "args": {}}      ->  {"id": 7, "ok": 3}
                                                   or  {"id": 7, "error": {"call": "alloc_pd", "message": "...", "errno": 12}}

What the device does of itself (a frame that it sends, an event) is written as it happens, before the answer to the call that
brought it about. Nothing else may be written to stdout; stderr is free.
"""

import base64
import json
import sys
import traceback

PROTOCOL = 3
EINVAL, EOPNOTSUPP = 22, 95


class VerbsError(Exception):
    """A call that the device refuses, with an errno as libibverbs would give it."""

    def __init__(self, errno, message="refused"):
        super().__init__(message)
        self.errno = errno


def _write(message):
    sys.stdout.write(json.dumps(message, separators=(",", ":")) + "\n")
    sys.stdout.flush()


def send_frame(frame):
    """An Ethernet frame leaves the port of the device."""
    _write({"frame": base64.b64encode(frame).decode()})


def cq_event(cq):
    """The CQ was armed by req_notify_cq, and a completion has come."""
    _write({"cq": cq})


def async_event(event_type, **of):
    """An asynchronous event, e.g. async_event("IBV_EVENT_QP_ACCESS_ERR", qp_num=17)."""
    _write({"async": {"event_type": event_type, **of}})


def _answer(device, name, args):
    method = getattr(device, name, None)
    if method is None:
        raise VerbsError(EOPNOTSUPP, "this device has no " + name)
    for key in ("frame", "bytes"):
        if key in args:
            args[key] = base64.b64decode(args[key])
    result = method(**args)
    return base64.b64encode(result).decode() if isinstance(result, (bytes, bytearray)) else result


def serve(make_device, profile, dut, peer, calls=()):
    """Answers calls until stdin ends. `make_device()` gives a new device; each case begins with one."""
    device = make_device()
    for line in sys.stdin:
        message = json.loads(line)
        name, args = message["call"], message["args"]
        answer = {"id": message["id"]}
        try:
            if name == "hello":
                hello = {"protocol": PROTOCOL, "profile": profile, "dut": dut, "peer": peer}
                answer["ok"] = {**hello, "calls": list(calls)}
            elif name == "reset":
                device, answer["ok"] = make_device(), None
            elif name == "advance" and not hasattr(device, "advance"):
                # A device without timers does nothing by itself.
                answer["ok"] = {"now": args["to"], "next": None}
            else:
                answer["ok"] = _answer(device, name, args)
        except VerbsError as refusal:
            answer["error"] = {"call": name, "message": str(refusal), "errno": refusal.errno}
        except Exception as error:  # a mistake of the device: without errno, which ends the run as an error
            traceback.print_exc()
            answer["error"] = {"call": name, "message": repr(error)}
        _write(answer)
