#!/usr/bin/env python3
"""The driver of the receive path in rc_receive.v, which Icarus Verilog simulates behind a pipe. It has the calls of a device; packets are the
business of the hardware alone.

    make && npx rdma-conform smoke --adapter "stdio:python3 responder.py"

With --fault NAME the hardware does one thing wrong, and the suites find it:

    nak-psn            the NAK "PSN sequence error" names the PSN that came, not the one that is missing
    msn-packets        MSN counts packets in place of messages
    silent-duplicate   a duplicate is not acknowledged again
"""

import argparse
import os
import struct
import subprocess
import sys
from collections import deque

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "python-responder"))  # in a project of your own both lie beside this file

import rdma_stdio  # noqa: E402
from rdma_stdio import EINVAL, VerbsError, async_event, cq_event, send_frame  # noqa: E402
from states import next_state  # noqa: E402

ENOMEM, GUARD, PAGE, MEMORY, QPS, REGIONS, MOST_SGE = 12, 64, 4096, 1 << 22, 64, 1024, 16
FAULTS = (None, "nak-psn", "msn-packets", "silent-duplicate")
DUT = {"mac": "02:00:00:00:00:01", "ipv4": "10.0.0.1", "gidIndex": {"ipv4": 0}}
PEER = {"mac": "02:00:00:00:00:02", "ipv4": "10.0.0.2", "gidIndex": {"ipv4": 0}}
PROFILE = {
    "name": "verilog-responder",
    "version": "1",
    "capabilities": ["rc"],
    "pathMtus": [256, 1024],
    "ipVersions": [4],
    "limits": {"maxDestRdAtomic": 16, "maxMessageBytes": 1 << 16, "maxQps": QPS},
    "clock": "virtual",
    "responseTime": 1000,
    "concurrency": 1,
}
# Registers of rc_receive.v
STATE, DEST, MTU, ACCESS, OWNER, RNR, READS, PSN, RING, RING_SIZE, POST, CLEAR = range(12)
MR_BASE, MR_LENGTH, MR_ACCESS = 16, 17, 18
# What it reports by number
STATUSES = ("SUCCESS", "SUCCESS", "LOC_QP_OP_ERR", "LOC_LEN_ERR", "LOC_ACCESS_ERR", "LOC_PROT_ERR")
OPCODES = ("IBV_WC_RECV", "IBV_WC_RECV_RDMA_WITH_IMM")
EVENTS = (None, "IBV_EVENT_COMM_EST", "IBV_EVENT_QP_REQ_ERR", "IBV_EVENT_QP_ACCESS_ERR")
# Attributes that say how to modify, and are nothing to remember.
NOT_KEPT = ("qp_state", "cur_qp_state", "en_sqd_async_notify")


def rights(access):
    """IBV_ACCESS_... as the bits of the hardware."""
    words = ("LOCAL_WRITE", "REMOTE_WRITE", "REMOTE_READ")
    return sum(1 << bit for bit, word in enumerate(words) if "IBV_ACCESS_" + word in access)


class Hardware:
    """The simulation: commands to it, and what it does until it is done."""

    def __init__(self, fault):
        command = ["vvp", "-n", os.path.join(HERE, "responder.vvp"), "+fault=" + str(FAULTS.index(fault))]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, command):
        """Yields what it writes, as words, until the command is done."""
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            words = line.split()
            if words == ["."]:
                return
            yield words
        raise RuntimeError("the simulation has ended")

    def do(self, command):
        return list(self.run(command))

    def register(self, field, index, value=0):
        self.do("G %d %d %x" % (field, index, value))

    def write(self, addr, data):
        self.do("W %d %d %s" % (addr, len(data), data.hex()))


class Qp:
    def __init__(self, handle, index, pd, send_cq, recv_cq, cap):
        self.handle, self.index, self.number, self.pd, self.cap = handle, index, 0x10 + index, pd, cap
        self.send_cq, self.recv_cq = send_cq, recv_cq
        self.state, self.attr, self.receives, self.posted = "IBV_QPS_RESET", {}, deque(), 0


class Device:
    """A method for each call; its arguments are those of the call."""

    def __init__(self, hardware):
        self.hardware = hardware
        hardware.do("X")
        self.pds, self.mrs, self.cqs, self.qps = set(), {}, {}, {}
        self.handles, self.regions, self.numbers = 0, 0, 0
        self.low, self.high = 0x10000, MEMORY  # regions from below, receive queues from above

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
        if pd not in self.pds or any(user["pd"] == pd for user in self.mrs.values()) or any(qp.pd == pd for qp in self.qps.values()):
            raise VerbsError(EINVAL)
        self.pds.remove(pd)

    def reg_mr(self, pd, length, access):
        remote = {"IBV_ACCESS_REMOTE_WRITE", "IBV_ACCESS_REMOTE_ATOMIC"} & set(access)
        if pd not in self.pds or (remote and "IBV_ACCESS_LOCAL_WRITE" not in access):
            raise VerbsError(EINVAL)
        addr, index = self.low, self.regions + 1
        end = addr + (length + 2 * PAGE) // PAGE * PAGE + PAGE  # the page before and the page behind belong to nobody
        if end > self.high or index >= REGIONS:
            raise VerbsError(ENOMEM, "memory is full")
        self.low, self.regions = end, index
        self.hardware.do("Z %d %d" % (addr - GUARD, length + 2 * GUARD))
        for field, value in ((MR_BASE, addr), (MR_LENGTH, length), (MR_ACCESS, pd << 3 | rights(access))):
            self.hardware.register(field, index, value)
        mr = self.handle()
        self.mrs[mr] = {"pd": pd, "addr": addr, "length": length, "index": index}
        return {"mr": mr, "addr": str(addr), "lkey": index << 8, "rkey": index << 8}

    def dereg_mr(self, mr):
        self.hardware.register(MR_ACCESS, self.known(self.mrs, mr)["index"])
        del self.mrs[mr]

    def read_memory(self, mr, offset, length):
        region = self.known(self.mrs, mr)
        if offset < -GUARD or offset + length > region["length"] + GUARD:
            raise VerbsError(EINVAL)
        if length == 0:
            return b""
        [(_, data)] = self.hardware.do("R %d %d" % (region["addr"] + offset, length))
        return bytes.fromhex(data)

    def write_memory(self, mr, offset, bytes):
        region = self.known(self.mrs, mr)
        if offset + len(bytes) > region["length"]:
            raise VerbsError(EINVAL)
        self.hardware.write(region["addr"] + offset, bytes)

    def create_cq(self, cqe):
        cq = self.handle()
        self.cqs[cq] = {"handle": cq, "entries": deque(), "armed": False}
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
        stride = 16 * (1 + cap["max_recv_sge"])
        if pd not in self.pds or qp_type != "IBV_QPT_RC" or srq is not None or ooo or cap["max_recv_sge"] > MOST_SGE:
            raise VerbsError(EINVAL)
        queues = self.known(self.cqs, send_cq), self.known(self.cqs, recv_cq)
        high = self.high - stride * cap["max_recv_wr"]
        if self.numbers + 1 >= QPS or high < self.low:
            raise VerbsError(ENOMEM, "no more QPs")
        self.numbers, self.high = self.numbers + 1, high
        qp = Qp(self.handle(), self.numbers, pd, *queues, cap)
        qp.ring, qp.stride = high, stride
        self.qps[qp.handle] = qp
        return {"qp": qp.handle, "qp_num": qp.number}

    def modify_qp(self, qp, attr):
        found = self.known(self.qps, qp)
        state = next_state(found.state, attr)
        if state == "IBV_QPS_RESET":
            found.state, found.attr, found.receives, found.posted = state, {}, deque(), 0
            return self.hardware.register(CLEAR, found.index)
        found.attr.update({key: value for key, value in attr.items() if key not in NOT_KEPT})
        if found.state == "IBV_QPS_INIT" and state == "IBV_QPS_RTR":
            self.hardware.register(PSN, found.index, attr["rq_psn"])
        found.state = state
        self.configure(found)
        if state == "IBV_QPS_ERR":
            self.flush(found)
        # A send queue that never held anything is drained at once.
        if state == "IBV_QPS_SQD" and attr.get("en_sqd_async_notify"):
            async_event("IBV_EVENT_SQ_DRAINED", qp_num=found.number)

    def configure(self, qp):
        """The context of a QP in the hardware, as its attributes and its state want it."""
        active = qp.state in ("IBV_QPS_RTR", "IBV_QPS_RTS", "IBV_QPS_SQD")
        values = {
            DEST: qp.attr.get("dest_qp_num", 0),
            MTU: qp.attr.get("path_mtu", 256).bit_length() - 1,
            ACCESS: rights(qp.attr.get("qp_access_flags", [])),
            OWNER: qp.pd,
            RNR: qp.attr.get("min_rnr_timer", 0),
            READS: qp.attr.get("max_dest_rd_atomic", 0),
            RING: qp.ring,
            RING_SIZE: qp.stride << 16 | qp.cap["max_recv_wr"],
            STATE: active | (qp.state == "IBV_QPS_RTR") << 1,
        }
        for field, value in values.items():
            self.hardware.register(field, qp.index, value)

    def query_qp(self, qp):
        found = self.known(self.qps, qp)
        attr = {**found.attr, "qp_state": found.state, "cur_qp_state": found.state}
        if found.state not in ("IBV_QPS_RESET", "IBV_QPS_INIT"):
            [(_, psn)] = self.hardware.do("Q %d" % found.index)
            attr["rq_psn"] = int(psn)
        return attr

    def destroy_qp(self, qp):
        self.hardware.register(CLEAR, self.known(self.qps, qp).index)
        del self.qps[qp]

    def post_recv(self, qp, wr):
        found, elements = self.known(self.qps, qp), wr["sg_list"]
        if found.state == "IBV_QPS_RESET" or len(elements) > found.cap["max_recv_sge"]:
            raise VerbsError(EINVAL)
        if len(found.receives) >= found.cap["max_recv_wr"]:
            raise VerbsError(ENOMEM, "the receive queue is full")
        found.receives.append(wr["wr_id"])
        if found.state == "IBV_QPS_ERR":
            return self.flush(found)
        descriptor = struct.pack("<IQxxxx", len(elements), sum(sge["length"] for sge in elements))
        for sge in elements:
            descriptor += struct.pack("<QII", int(sge["addr"]), sge["length"], sge["lkey"])
        slot = found.posted % found.cap["max_recv_wr"]
        found.posted += 1
        self.hardware.write(found.ring + slot * found.stride, descriptor)
        self.hardware.register(POST, found.index)

    def complete(self, qp, status, **more):
        entry = {"wr_id": qp.receives.popleft(), "status": "IBV_WC_" + status, "qp_num": qp.number, **more}
        qp.recv_cq["entries"].append(entry)
        if qp.recv_cq["armed"]:
            qp.recv_cq["armed"] = False
            cq_event(qp.recv_cq["handle"])

    def flush(self, qp):
        while qp.receives:
            self.complete(qp, "WR_FLUSH_ERR")

    def deliver(self, frame):
        if not frame:
            return
        for kind, *words in self.hardware.run("D %d %s" % (len(frame), frame.hex())):
            if kind == "T":
                send_frame(bytes.fromhex(words[0]))
                continue
            qp = next(qp for qp in self.qps.values() if qp.index == int(words[0]))
            numbers = [int(word) for word in words[1:]]
            if kind == "C":
                code, length, with_imm, imm = numbers
                more = {"opcode": OPCODES[code], "byte_len": length} if code < len(OPCODES) else {}
                self.complete(qp, STATUSES[code], **more, **({"imm_data": imm} if with_imm else {}))
            elif kind == "E":
                async_event(EVENTS[numbers[0]], qp_num=qp.number)
            elif kind == "F":
                qp.state = "IBV_QPS_ERR"
                self.flush(qp)


def main():
    parser = argparse.ArgumentParser(description="an RC receive path in Verilog for rdma-conform")
    parser.add_argument("--fault", choices=FAULTS[1:], help="the one thing that it does wrong")
    hardware = Hardware(parser.parse_args().fault)
    rdma_stdio.serve(lambda: Device(hardware), PROFILE, DUT, PEER)


if __name__ == "__main__":
    main()
