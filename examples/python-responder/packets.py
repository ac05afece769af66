"""RoCEv2 packets over IPv4, as far as an RC responder needs them: read, check, write."""

import struct
import zlib

UDP_PORT = 4791
LONGEST_FRAME = 9216
ACKNOWLEDGE, READ_FIRST, READ_MIDDLE, READ_LAST, READ_ONLY = 0x11, 0x0D, 0x0E, 0x0F, 0x10
RESPONSES = range(0x0D, 0x13)
WITH_RETH = (0x06, 0x0A, 0x0B, 0x0C)
WITH_IMMEDIATE = (0x03, 0x05, 0x09, 0x0B)


def psn_add(psn, n):
    return (psn + n) & 0xFFFFFF


def psn_behind(psn, expected):
    """How far `psn` is behind `expected`: negative where it is ahead, 0 where it is the one."""
    distance = (expected - psn) & 0xFFFFFF
    return distance if distance <= 0x800000 else distance - 0x1000000


def icrc(ip_packet):
    """The invariant CRC of an IPv4 packet without its ICRC: fields that change on the way count as ones."""
    masked = bytearray(ip_packet)
    masked[1] = masked[8] = 0xFF  # TOS, TTL
    masked[10:12] = masked[26:28] = b"\xff\xff"  # checksums of IP and UDP
    masked[32] = 0xFF  # FECN, BECN, reserved
    return struct.pack("<I", zlib.crc32(b"\xff" * 8 + bytes(masked)))


def ip_checksum(header):
    total = sum(struct.unpack("!10H", header))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


class Packet:
    """A request as it came in. `payload` is without the pad bytes, `pad` their number."""

    def __init__(self, frame):
        """Takes an Ethernet frame apart; ValueError where it is no sound packet of RoCEv2 over IPv4."""
        if not 14 + 20 + 8 + 12 + 4 <= len(frame) <= LONGEST_FRAME or frame[12:14] != b"\x08\x00":
            raise ValueError("no IPv4, or nothing that a port takes")
        ip_length = struct.unpack("!H", frame[16:18])[0]
        ip = frame[14 : 14 + ip_length]
        if len(ip) != ip_length or ip_length < 44 or ip[0] != 0x45 or ip[9] != 17 or ip_checksum(ip[:20]) != 0:
            raise ValueError("no sound IPv4 header")
        fragment = struct.unpack("!H", ip[6:8])[0] & 0x3FFF
        source_port, port, udp_length = struct.unpack("!HHH", ip[20:26])
        if fragment or port != UDP_PORT or udp_length != ip_length - 20:
            raise ValueError("no sound UDP header")
        if icrc(ip[:-4]) != ip[-4:]:
            raise ValueError("wrong ICRC")
        bth = ip[28:40]
        self.source_ip, self.target_ip = ip[12:16], ip[16:20]
        self.opcode = bth[0]
        self.solicited, self.pad, self.version = bth[1] >> 7, bth[1] >> 4 & 3, bth[1] & 15
        self.pkey = struct.unpack("!H", bth[2:4])[0]
        self.dest_qp = int.from_bytes(bth[5:8], "big")
        self.ack_requested, self.psn = bth[8] >> 7, int.from_bytes(bth[9:12], "big")
        body = ip[40:-4]
        if self.opcode in WITH_RETH:
            if len(body) < 16:
                raise ValueError("no room for a RETH")
            self.va, self.rkey, self.dma_length = struct.unpack("!QII", body[:16])
            body = body[16:]
        if self.opcode in WITH_IMMEDIATE:
            if len(body) < 4:
                raise ValueError("no room for immediate data")
            self.immediate = struct.unpack("!I", body[:4])[0]
            body = body[4:]
        if len(body) < self.pad:
            raise ValueError("more pad than payload")
        self.padded_length = len(body)
        self.payload = body[: len(body) - self.pad]


def response(dut, peer, opcode, dest_qp, psn, aeth=None, payload=b""):
    """A frame from `dut` to `peer`, which are dicts of MAC and IPv4 address; `aeth` is (syndrome, MSN)."""
    pad = -len(payload) % 4
    bth = struct.pack("!BBHII", opcode, 0x40 | pad << 4, 0xFFFF, dest_qp, psn)  # 0x40: MigReq
    extension = b"" if aeth is None else struct.pack("!I", aeth[0] << 24 | aeth[1])
    body = bth + extension + payload + bytes(pad)
    udp = struct.pack("!HHHH", 0xC000 | dest_qp & 0x3FFF, UDP_PORT, 8 + len(body) + 4, 0)
    addresses = bytes(map(int, dut["ipv4"].split("."))) + bytes(map(int, peer["ipv4"].split(".")))
    header = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(udp) + len(body) + 4, 0, 0x4000, 64, 17, 0) + addresses
    ip = header[:10] + struct.pack("!H", ip_checksum(header)) + header[12:]
    ethernet = bytes.fromhex((peer["mac"] + dut["mac"]).replace(":", "")) + b"\x08\x00"
    return ethernet + ip + udp + body + icrc(ip + udp + body)
