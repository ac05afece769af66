import type { AccessFlag } from 'rdma-conform/adapter';
import type { TraceEvent, TraceHeader } from 'rdma-conform/oracle';
import { decode, encode } from 'rdma-conform/wire';

/** Two packets as a simulator has them. Opcodes of RC: 0x04 SEND Only, 0x11 Acknowledge. */
export interface Exchange {
  /** PSN that the responder expects */
  expected: number;
  /** PSN of the SEND that comes */
  request: number;
  /** AETH syndrome and PSN of what the responder answers */
  answer: { syndrome: number; psn: number };
}

const dutIp = '10.0.0.1';
const peerIp = '10.0.0.2';

/** What the oracle needs to know of the recorder: here it saw everything, as a simulator does. */
export const header: TraceHeader = {
  sight: { packets: 'at-device', verbs: true },
  clock: 'virtual',
  capabilities: ['rc'],
  dut: { addresses: [dutIp] },
};

const rights: AccessFlag[] = ['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_REMOTE_WRITE'];

/** A QP comes up, one request arrives, one answer leaves. Times in nanoseconds. */
export function traceOf({ expected, request, answer }: Exchange): TraceEvent[] {
  const at = { kind: 'call', t: 0, start: 0 } as const;
  const sent = encode({
    opcode: 0x04,
    srcIp: peerIp,
    dstIp: dutIp,
    destQp: 0x11,
    psn: request,
    ackReq: true,
    payload: new Uint8Array(64),
  });
  const answered = encode({
    opcode: 0x11,
    srcIp: dutIp,
    dstIp: peerIp,
    destQp: 0x22,
    psn: answer.psn,
    aeth: { syndrome: answer.syndrome, msn: 0 },
  });
  return [
    {
      ...at,
      call: 'create_qp',
      pd: 1,
      qp: 1,
      qp_num: 0x11,
      qp_type: 'IBV_QPT_RC',
      send_cq: 1,
      recv_cq: 1,
      max_recv_wr: 16,
      max_send_wr: 16,
    },
    {
      ...at,
      call: 'modify_qp',
      qp: 1,
      attr: { qp_state: 'IBV_QPS_INIT', pkey_index: 0, port_num: 1, qp_access_flags: rights },
    },
    {
      ...at,
      call: 'modify_qp',
      qp: 1,
      attr: {
        qp_state: 'IBV_QPS_RTR',
        path_mtu: 1024,
        rq_psn: expected,
        dest_qp_num: 0x22,
        min_rnr_timer: 12,
        max_dest_rd_atomic: 1,
        ah_attr: { dgid: '00000000000000000000ffff0a000002', sgid_index: 0 },
      },
    },
    packet(1000, 'to-dut', sent, 1),
    packet(2000, 'from-dut', answered, 2),
    // Everything that a responder owes without waiting for a timer has been seen.
    { kind: 'settled', t: 100_000 },
  ];
}

function packet(t: number, direction: 'to-dut' | 'from-dut', frame: Uint8Array, number: number): TraceEvent {
  const decoded = decode(frame);
  if (decoded.kind !== 'packet') throw new Error(`no packet: ${decoded.kind}`);
  return { kind: 'packet', t, direction, packet: decoded.packet, number };
}
