"""One QP of a reliable connection, as responder."""

from collections import deque

import packets
from packets import Packet, psn_add, psn_behind
from rdma_stdio import EINVAL, VerbsError, async_event, cq_event, send_frame

ACK, RNR_NAK = 0x1F, 0x20
NAK_SEQUENCE, NAK_INVALID, NAK_ACCESS, NAK_OPERATIONAL = 0x60, 0x61, 0x62, 0x63
LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ = (
    "IBV_ACCESS_LOCAL_WRITE",
    "IBV_ACCESS_REMOTE_WRITE",
    "IBV_ACCESS_REMOTE_READ",
)

# opcode: (kind, first packet of a message, last packet)
REQUESTS = {
    0x00: ("send", True, False),
    0x01: ("send", False, False),
    0x02: ("send", False, True),
    0x03: ("send", False, True),
    0x04: ("send", True, True),
    0x05: ("send", True, True),
    0x06: ("write", True, False),
    0x07: ("write", False, False),
    0x08: ("write", False, True),
    0x09: ("write", False, True),
    0x0A: ("write", True, True),
    0x0B: ("write", True, True),
    0x0C: ("read", True, True),
}


# Attributes that say how to modify, and are nothing to remember.
NOT_KEPT = ("qp_state", "cur_qp_state", "en_sqd_async_notify")


class Refusal(Exception):
    """A request that is answered by a NAK, which ends the connection. `status` is that of the receive it had taken."""

    def __init__(self, syndrome, status, event=None):
        super().__init__(status)
        self.syndrome, self.status, self.event = syndrome, status, event


def invalid(status="IBV_WC_LOC_QP_OP_ERR", event="IBV_EVENT_QP_REQ_ERR"):
    return Refusal(NAK_INVALID, status, event)


def forbidden():
    return Refusal(NAK_ACCESS, "IBV_WC_LOC_ACCESS_ERR", "IBV_EVENT_QP_ACCESS_ERR")


class Connection:
    def __init__(self, handle, number, pd, queues, cap, memory, dut, peer, fault):
        self.handle, self.number, self.pd, self.cap, self.memory = handle, number, pd, cap, memory
        self.send_cq, self.recv_cq = queues
        self.dut, self.peer, self.fault = dut, peer, fault
        self.reset()

    def reset(self):
        self.state, self.attr = "IBV_QPS_RESET", {}
        self.epsn = self.msn = 0
        self.receives = deque()
        self.sequence_nak = self.rnr_nak = False
        self.established = False
        self.message = None  # of which packets are still to come
        self.reads = deque()  # (PSN, packets, va, rkey, length), the newest last
        self.last_completed = None

    # Calls

    def modify(self, state, attr):
        if state == "IBV_QPS_RESET":
            return self.reset()
        self.attr.update({key: value for key, value in attr.items() if key not in NOT_KEPT})
        if self.state == "IBV_QPS_INIT" and state == "IBV_QPS_RTR":
            self.epsn = attr["rq_psn"]
        if state == "IBV_QPS_ERR":
            self.fail()
        self.state = state
        # A send queue that never held anything is drained at once.
        if state == "IBV_QPS_SQD" and attr.get("en_sqd_async_notify"):
            async_event("IBV_EVENT_SQ_DRAINED", qp_num=self.number)

    def query(self):
        attr = {**self.attr, "qp_state": self.state, "cur_qp_state": self.state}
        if self.state not in ("IBV_QPS_RESET", "IBV_QPS_INIT"):
            attr["rq_psn"] = self.epsn
        return attr

    def post_recv(self, wr):
        if self.state == "IBV_QPS_RESET" or len(wr["sg_list"]) > self.cap["max_recv_sge"]:
            raise VerbsError(EINVAL)
        if len(self.receives) >= self.cap["max_recv_wr"]:
            raise VerbsError(12, "the receive queue is full")
        self.receives.append(wr)
        if self.state == "IBV_QPS_ERR":
            self.flush()

    # Completions

    def complete(self, wr, status, **more):
        entry = {"wr_id": wr["wr_id"], "status": status, "qp_num": self.number, **more}
        self.recv_cq["entries"].append(entry)
        if self.recv_cq["armed"]:
            self.recv_cq["armed"] = False
            cq_event(self.recv_cq["handle"])

    def flush(self):
        while self.receives:
            self.complete(self.receives.popleft(), "IBV_WC_WR_FLUSH_ERR")

    def fail(self):
        """To the error state; receives come back, first that of a message under way."""
        self.state = "IBV_QPS_ERR"
        if self.message is not None and self.message.get("wr") is not None:
            self.receives.appendleft(self.message["wr"])
        self.message = None
        self.flush()

    # Packets

    @staticmethod
    def deliver(frame, connections):
        try:
            packet = Packet(frame)
        except ValueError:
            return
        for qp in connections:
            if qp.number == packet.dest_qp and qp.accepts(packet):
                qp.request(packet)

    def accepts(self, packet):
        """What a header must be like; anything else is dropped without a word."""
        if self.state not in ("IBV_QPS_RTR", "IBV_QPS_RTS", "IBV_QPS_SQD"):
            return False
        far = bytes(map(int, self.peer["ipv4"].split(".")))
        near = bytes(map(int, self.dut["ipv4"].split(".")))
        return (
            packet.version == 0
            and packet.pkey & 0x7FFF == 0x7FFF
            and packet.source_ip == far
            and packet.target_ip == near
            and packet.opcode >> 5 == 0
            and packet.opcode not in packets.RESPONSES
        )

    def reply(self, syndrome, psn):
        far = self.attr["dest_qp_num"]
        send_frame(packets.response(self.dut, self.peer, packets.ACKNOWLEDGE, far, psn, (syndrome, self.msn)))

    def request(self, packet):
        behind = psn_behind(packet.psn, self.epsn)
        if behind > 0:
            return self.duplicate(packet)
        if behind < 0:
            if not self.sequence_nak and not self.rnr_nak:
                self.sequence_nak = True
                self.reply(NAK_SEQUENCE, packet.psn if self.fault == "nak-psn" else self.epsn)
            return None
        if not self.established:
            self.established = True
            if self.state == "IBV_QPS_RTR":
                async_event("IBV_EVENT_COMM_EST", qp_num=self.number)
        self.sequence_nak = self.rnr_nak = False
        try:
            self.execute(packet)
        except Refusal as refusal:
            self.refuse(packet, refusal)
        return None

    def refuse(self, packet, refusal):
        self.reply(refusal.syndrome, packet.psn)
        message, self.message = self.message, None
        wr = message.get("wr") if message is not None else None
        if wr is not None:
            self.complete(wr, refusal.status)
        elif refusal.event is not None:
            async_event(refusal.event, qp_num=self.number)
        self.fail()

    def execute(self, packet):
        """A request with the expected PSN."""
        kind, first, last = REQUESTS.get(packet.opcode, (None, True, True))
        continues = self.message is not None
        if kind is None or first == continues or (continues and self.message["kind"] != kind):
            raise invalid()
        if kind == "read":
            return self.read(packet)
        if not self.begin(packet, kind, first):
            return None
        self.take(packet, kind, last)
        self.epsn = psn_add(self.epsn, 1)
        if last:
            self.finish(packet, kind)
        if packet.ack_requested:
            self.reply(ACK, packet.psn)
        return None

    def begin(self, packet, kind, first):
        """Sees to it that a message is under way, with a receive if it takes one. False: not ready, and said so."""
        immediate = packet.opcode in packets.WITH_IMMEDIATE
        takes = (kind == "send" and first) or (kind == "write" and immediate)
        if kind == "write" and first and REMOTE_WRITE not in self.attr.get("qp_access_flags", []):
            raise invalid()
        if takes and not self.receives:
            self.rnr_nak = True
            self.reply(RNR_NAK | self.attr.get("min_rnr_timer", 0), packet.psn)
            return False
        if first:
            self.message = {"kind": kind, "wr": None, "length": 0}
            if kind == "write":
                self.message.update(va=packet.va, rkey=packet.rkey, announced=packet.dma_length)
        if takes:
            self.message["wr"] = self.receives.popleft()
        return True

    def take(self, packet, kind, last):
        """Checks the length of a packet and puts its payload where it belongs."""
        message, data, mtu = self.message, packet.payload, self.attr["path_mtu"]
        first = message["length"] == 0 and REQUESTS[packet.opcode][1]
        whole = len(data) == mtu and packet.pad == 0
        if (not last and not whole) or len(data) > mtu or packet.padded_length % 4:
            raise invalid()
        if last and not first and len(data) == 0:
            raise invalid()
        so_far = message["length"] + len(data)
        if kind == "send":
            self.scatter(message["wr"], message["length"], data)
        else:
            announced = message["announced"]
            if so_far > announced or (last and so_far != announced) or announced > 1 << 31:
                raise invalid()
            if announced > 0:
                region = self.memory.find(message["rkey"], self.pd, message["va"], announced, REMOTE_WRITE)
                if region is None:
                    raise forbidden()
                region.write(message["va"] + message["length"], data)
        message["length"] = so_far

    def scatter(self, wr, offset, data):
        """Puts `data` into the buffers of a receive, `offset` bytes behind their beginning."""
        if offset + len(data) > sum(sge["length"] for sge in wr["sg_list"]):
            raise invalid("IBV_WC_LOC_LEN_ERR")
        for sge in wr["sg_list"]:
            skipped = min(offset, sge["length"])
            offset -= skipped
            part, data = data[: sge["length"] - skipped], data[sge["length"] - skipped :]
            if not part:
                continue
            region = self.memory.find(sge["lkey"], self.pd, int(sge["addr"]), sge["length"], LOCAL_WRITE)
            if region is None:
                raise Refusal(NAK_OPERATIONAL, "IBV_WC_LOC_PROT_ERR")
            region.write(int(sge["addr"]) + skipped, part)

    def finish(self, packet, kind):
        self.msn = psn_add(self.msn, 1)
        message, self.message = self.message, None
        if message["wr"] is None:
            return
        more = {"imm_data": packet.immediate} if packet.opcode in packets.WITH_IMMEDIATE else {}
        opcode = "IBV_WC_RECV" if kind == "send" else "IBV_WC_RECV_RDMA_WITH_IMM"
        self.complete(message["wr"], "IBV_WC_SUCCESS", opcode=opcode, byte_len=message["length"], **more)

    # READ

    def read(self, packet):
        if REMOTE_READ not in self.attr.get("qp_access_flags", []):
            raise invalid()
        if self.attr.get("max_dest_rd_atomic", 0) == 0:
            raise invalid(event="IBV_EVENT_QP_ACCESS_ERR")
        if packet.payload or packet.dma_length > 1 << 31:
            raise invalid()
        if packet.dma_length > 0 and self.region_of(packet) is None:
            raise forbidden()
        count = self.responses_of(packet.dma_length)
        self.reads.append((packet.psn, count, packet.va, packet.rkey, packet.dma_length))
        while len(self.reads) > self.attr["max_dest_rd_atomic"]:
            self.reads.popleft()
        self.epsn = psn_add(self.epsn, count)
        self.msn = psn_add(self.msn, 1)
        self.answer_read(packet)

    def region_of(self, packet):
        return self.memory.find(packet.rkey, self.pd, packet.va, packet.dma_length, REMOTE_READ)

    def responses_of(self, length):
        return max(1, -(-length // self.attr["path_mtu"]))

    def answer_read(self, packet):
        mtu, length = self.attr["path_mtu"], packet.dma_length
        data = self.region_of(packet).read(packet.va, length) if length > 0 else b""
        count = self.responses_of(length)
        for i in range(count):
            opcode = packets.READ_MIDDLE
            if i == 0:
                opcode = packets.READ_ONLY if count == 1 else packets.READ_FIRST
            elif i == count - 1:
                opcode = packets.READ_LAST
            aeth = None if opcode == packets.READ_MIDDLE else (ACK, self.msn)
            part = data[i * mtu : (i + 1) * mtu]
            psn = psn_add(packet.psn, i)
            send_frame(packets.response(self.dut, self.peer, opcode, self.attr["dest_qp_num"], psn, aeth, part))

    # Duplicates

    def duplicate(self, packet):
        """Answered once more, and carried out once only; READs are carried out again. Mistakes in it are dropped."""
        kind, _, _ = REQUESTS.get(packet.opcode, (None, True, True))
        if kind == "read":
            return self.duplicate_read(packet)
        if kind is None or self.fault == "silent-duplicate":
            return None
        if kind == "write" and self.fault == "duplicate-write" and hasattr(packet, "rkey"):
            region = self.memory.find(packet.rkey, self.pd, packet.va, len(packet.payload), REMOTE_WRITE)
            if region is not None:
                region.write(packet.va, packet.payload)
        if packet.ack_requested:
            self.reply(ACK, psn_add(self.epsn, -1))
        return None

    def duplicate_read(self, packet):
        """A READ that is remembered, or the end of one: what it asks for must lie inside."""
        if packet.payload:
            return
        count = self.responses_of(packet.dma_length)
        for psn, known, va, rkey, length in self.reads:
            skipped = (packet.psn - psn) & 0xFFFFFF
            if skipped >= known:
                continue
            offset = skipped * self.attr["path_mtu"]
            same = packet.va == va + offset and packet.rkey == rkey and offset + packet.dma_length <= length
            usable = packet.dma_length == 0 or self.region_of(packet) is not None
            if same and usable and skipped + count <= known:
                self.answer_read(packet)
            return
