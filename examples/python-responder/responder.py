#!/usr/bin/env python3
"""A device in another language: the responder of a reliable connection, with SEND, RDMA WRITE and RDMA READ over IPv4.

    npx rdma-conform smoke --adapter "stdio:python3 examples/python-responder/responder.py"
    npx rdma-conform --adapter "stdio:python3 examples/python-responder/responder.py" --suite rc-responder

It has no requester, no atomics, no shared receive queues. With --fault NAME it has one of these faults, and the suites find it:

    nak-psn            the NAK "PSN sequence error" names the PSN that came, not the one that is missing
    duplicate-write    a duplicate of a WRITE is written once more
    silent-duplicate   a duplicate is not acknowledged again
"""

import argparse
from collections import deque

import rdma_stdio
from connection import Connection
from memory import GUARD, Memory
from rdma_stdio import EINVAL, VerbsError
from states import next_state

DUT = {"mac": "02:00:00:00:00:01", "ipv4": "10.0.0.1", "gidIndex": {"ipv4": 0}}
PEER = {"mac": "02:00:00:00:00:02", "ipv4": "10.0.0.2", "gidIndex": {"ipv4": 0}}
PROFILE = {
    "name": "python-responder",
    "version": "1",
    "capabilities": ["rc"],
    "pathMtus": [256, 512, 1024, 2048, 4096],
    "ipVersions": [4],
    "limits": {"maxDestRdAtomic": 16, "maxMessageBytes": 1 << 20, "maxQps": 1024},
    "clock": "virtual",
    # On virtual time this device answers at once; nanoseconds.
    "responseTime": 1000,
    "concurrency": 1,
}
FAULTS = ("nak-psn", "duplicate-write", "silent-duplicate")


class Device:
    """A method for each call; its arguments are those of the call."""

    def __init__(self, fault=None):
        self.fault = fault
        self.memory = Memory()
        self.pds, self.cqs, self.qps = set(), {}, {}
        self.handles, self.numbers = 0, 0x10

    def handle(self):
        self.handles += 1
        return self.handles

    def known(self, table, handle):
        if handle not in table:
            raise VerbsError(EINVAL, "no such handle")
        return table[handle]

    def alloc_pd(self):
        pd = self.handle()
        self.pds.add(pd)
        return pd

    def dealloc_pd(self, pd):
        users = [*self.memory.regions.values(), *self.qps.values()]
        if pd not in self.pds or any(user.pd == pd for user in users):
            raise VerbsError(EINVAL)
        self.pds.remove(pd)

    def reg_mr(self, pd, length, access):
        remote = {"IBV_ACCESS_REMOTE_WRITE", "IBV_ACCESS_REMOTE_ATOMIC"} & set(access)
        if pd not in self.pds or (remote and "IBV_ACCESS_LOCAL_WRITE" not in access):
            raise VerbsError(EINVAL)
        # Its own memory a device may always read.
        region = self.memory.register(self.handle(), pd, length, {*access, "local read"})
        return {"mr": region.handle, "addr": str(region.addr), "lkey": region.key, "rkey": region.key}

    def dereg_mr(self, mr):
        self.known(self.memory.regions, mr)
        del self.memory.regions[mr]

    def read_memory(self, mr, offset, length):
        region = self.known(self.memory.regions, mr)
        if offset < -GUARD or offset + length > region.length + GUARD:
            raise VerbsError(EINVAL)
        return region.read(region.addr + offset, length)

    def write_memory(self, mr, offset, bytes):
        region = self.known(self.memory.regions, mr)
        if offset + len(bytes) > region.length:
            raise VerbsError(EINVAL)
        region.write(region.addr + offset, bytes)

    def create_cq(self, cqe):
        cq = self.handle()
        self.cqs[cq] = {"handle": cq, "entries": deque(), "room": cqe, "armed": False}
        return cq

    def destroy_cq(self, cq):
        queue = self.known(self.cqs, cq)
        if any(queue in (qp.send_cq, qp.recv_cq) for qp in self.qps.values()):
            raise VerbsError(EINVAL)
        del self.cqs[cq]

    def poll_cq(self, cq, max):
        entries = self.known(self.cqs, cq)["entries"]
        return [entries.popleft() for _ in range(min(max, len(entries)))]

    def req_notify_cq(self, cq):
        self.known(self.cqs, cq)["armed"] = True

    def create_qp(self, pd, qp_type, send_cq, recv_cq, cap, srq=None, sq_sig_all=False, ooo=False):
        if pd not in self.pds or qp_type != "IBV_QPT_RC" or srq is not None or ooo:
            raise VerbsError(EINVAL)
        self.numbers += 1
        queues = self.known(self.cqs, send_cq), self.known(self.cqs, recv_cq)
        qp = Connection(self.handle(), self.numbers, pd, queues, cap, self.memory, DUT, PEER, self.fault)
        self.qps[qp.handle] = qp
        return {"qp": qp.handle, "qp_num": qp.number}

    def modify_qp(self, qp, attr):
        found = self.known(self.qps, qp)
        found.modify(next_state(found.state, attr), attr)

    def query_qp(self, qp):
        return self.known(self.qps, qp).query()

    def destroy_qp(self, qp):
        self.known(self.qps, qp)
        del self.qps[qp]

    def post_recv(self, qp, wr):
        self.known(self.qps, qp).post_recv(wr)

    def deliver(self, frame):
        Connection.deliver(frame, self.qps.values())


def main():
    parser = argparse.ArgumentParser(description="an RC responder for rdma-conform")
    parser.add_argument("--fault", choices=FAULTS, help="the one thing that it does wrong")
    fault = parser.parse_args().fault
    name = PROFILE["name"] if fault is None else PROFILE["name"] + " with " + fault
    rdma_stdio.serve(lambda: Device(fault), {**PROFILE, "name": name}, DUT, PEER)


if __name__ == "__main__":
    main()
